import type { Call } from '../call.ts'
import type { Letter } from '../notices/notice.ts'
import { type AnyStateStore, recordCreation, actorOf } from '../states.ts'
import type { Tx } from '../tenancy.ts'
import { addMessage } from './entries.ts'
import { giveFiles, ofOpening } from './give-files.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { mailPerson } from './emails.ts'

interface CaseInput {
  /** What was written, where the thing itself does not keep it (`opening` of its kind). */
  message?: string
  /** The files that were sent for it. */
  files: readonly string[]
  /** Tells whoever asked that it has come; the kit adds the link to the conversation. */
  letter: () => Letter
  /** How the thing itself begins, where it is made by this: its states, and the step by which it comes. */
  begins?: { states: AnyStateStore; event: string; detail?: Record<string, unknown> }
  /** `staff` where they write down what somebody told them; else whoever asks does it. */
  by?: 'requester' | 'staff'
}

/** Opens the conversation around a thing, in the transaction that made or holds it. */
export async function openCase<Row extends CaseRow>(
  tx: Tx,
  call: Call,
  of: CaseKind<Row>,
  row: Row,
  { message, files, letter, begins, by = 'requester' }: CaseInput,
): Promise<void> {
  const { context, company } = call
  const { name, id = null } = of.person(row)
  if (begins) {
    const asks = { as: 'requester' as const, actor: call, clock: context.clock, known: { id, name } }
    await recordCreation(tx, begins.states, {
      place: company.id,
      id: row.id,
      number: of.numberOf(row.id),
      event: begins.event,
      who: by === 'staff' ? actorOf(call) : asks,
      detail: begins.detail ?? {},
      ...(id !== null && { person: id }),
    })
  }
  const sender = call.session?.personId ?? null
  if (message === undefined) await giveFiles(tx, of, company.id, ofOpening(of, row.id), files, sender)
  else {
    const author = { kind: 'person' as const, id, name }
    await addMessage(tx, context, of, row, 'message', {
      by: author,
      text: message,
      at: context.clock.now(),
      files,
      sender,
    })
  }
  await mailPerson(tx, context, of, company, row, letter, { toCaller: by === 'requester' })
}
