import type { FaultCase } from '../../support/faults/fault-case.ts'
import { connections } from './connections.ts'
import { outputs } from './outputs.ts'
import { replies } from './replies.ts'
import { responses } from './responses.ts'

/** Every known or possible way in which a node fails, and what the reader makes of it. */
export const faultCases: readonly FaultCase[] = [...connections, ...responses, ...replies, ...outputs]
