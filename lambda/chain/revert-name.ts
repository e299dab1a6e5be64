import type { Hex } from 'viem'

/** The errors that we can name, by their selector: the two of the feed's ABI and Solidity's own two. */
const names: ReadonlyMap<string, string> = new Map([
  ['0xe3f18fa8', 'FeedUnavailable'],
  ['0xc4e5ad09', 'NoHistory'],
  ['0x08c379a0', 'Error'],
  ['0x4e487b71', 'Panic'],
])

/** Names the error in revert data: by its Solidity name, else by its selector, else `unnamed` (D14). */
export function toRevertName(revertData: Hex): string {
  if (revertData.length < '0x12345678'.length) return 'unnamed'
  const selector = revertData.slice(0, '0x12345678'.length).toLowerCase()
  return names.get(selector) ?? selector
}
