/**
 * The authors of the feeds, and the version of their repository on a date, in which they state that the feeds are
 * unaudited, and what can go wrong with them.
 */
export const feedAuthors = {
  name: 'Slate',
  url: 'https://github.com/Slate-Protocol/slate/blob/07d04f7539f6560e6903cf4b81ae0ff647d1f519',
  date: '4 October 2026',
} as const
