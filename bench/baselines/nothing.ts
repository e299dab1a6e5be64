/** What Node itself takes. */
export const nothing = undefined
