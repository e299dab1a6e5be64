/** The selectors of the errors that a record names: the two errors of the feed's ABI, and the two of Solidity. */
export const errorSelectors = {
  FeedUnavailable: '0xe3f18fa8',
  NoHistory: '0xc4e5ad09',
  Error: '0x08c379a0',
  Panic: '0x4e487b71',
} as const
