import type { FaultCase } from '../../support/faults/fault-case.ts'
import { connections } from './connections.ts'
import { outputs } from './outputs.ts'
import { replies } from './replies.ts'
import { responses } from './responses.ts'

/** Ways in which a node fails, each through the reader in another way, and what the reader makes of it. */
export const faultCases: readonly FaultCase[] = [...connections, ...responses, ...replies, ...outputs]
