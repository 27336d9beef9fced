import { type Handler, implement } from '../call.ts'
import { replyCalls } from './reply.ts'
import { assignCalls } from './assign.ts'
import { savedReplyCalls } from './saved-replies.ts'
import { fileCalls } from './files.ts'
import { guestCalls } from './guest.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { presenceCalls } from './presence.ts'
import { readerCalls } from './readers.ts'

/** Returns all shared calls of a case kind. The feature adds its detail call and its list. */
export const callsOfCase = <Row extends CaseRow>(of: CaseKind<Row>): Handler[] => [
  ...replyCalls(of),
  ...assignCalls(of),
  ...readerCalls(of),
  ...presenceCalls(of),
  ...savedReplyCalls(of),
  ...guestCalls(of),
  ...fileCalls(of),
  implement(of.calls.events, async () => ({ topic: of.calls.topic })),
]
