import type { FaultKind } from '../problems.ts'

/** One endpoint's failure. Holds its kind alone: no URL, no word of the node's. */
export class Fault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    super(kind)
    this.name = 'Fault'
    this.kind = kind
  }
}
