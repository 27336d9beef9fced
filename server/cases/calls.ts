import { type Handler, implement } from '../call.ts'
import { answerCalls } from './answer.ts'
import { assignCalls } from './assign.ts'
import { cannedCalls } from './canned.ts'
import { fileCalls } from './files.ts'
import { guestCalls } from './guest.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { readerCalls } from './readers.ts'

/** Returns all shared calls of a case kind. The feature adds its detail call and its list. */
export const callsOfCase = <Row extends CaseRow>(of: CaseKind<Row>): Handler[] => [
  ...answerCalls(of),
  ...assignCalls(of),
  ...readerCalls(of),
  ...cannedCalls(of),
  ...guestCalls(of),
  ...fileCalls(of),
  implement(of.calls.events, async () => ({ topic: of.calls.topic })),
]
