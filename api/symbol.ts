/** The form of a feed's symbol: a segment of a path that no URL has to encode. */
export const symbolPattern = /^\w[\w.-]{0,19}$/
