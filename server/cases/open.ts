import type { Call } from '../call.ts'
import type { EmailTemplate } from '../notices/notice.ts'
import { type AnyStateStore, recordCreation, actorOf } from '../states.ts'
import type { Tx } from '../tenancy.ts'
import { addMessage } from './entries.ts'
import { attachFiles, ofOpening } from './attach-files.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { emailPerson } from './emails.ts'

interface CaseInput {
  /** Opening message. Only set if the subject does not store the message itself (`opening` of its kind). */
  message?: string
  /** Uploaded files of the message. */
  files: readonly string[]
  /** Confirmation email for the requester. The server adds the link to the case. */
  confirmationEmail: () => EmailTemplate
  /** State machine and first event. Only set if this call also creates the subject. */
  begins?: { states: AnyStateStore; event: string; detail?: Record<string, unknown> }
  /** `staff` if staff record a request for a resident. Default: the requester. */
  by?: 'requester' | 'staff'
}

/** Opens the case of a subject, in the transaction that created or locked the subject. */
export async function openCase<Row extends CaseRow>(
  tx: Tx,
  call: Call,
  of: CaseKind<Row>,
  row: Row,
  { message, files, confirmationEmail, begins, by = 'requester' }: CaseInput,
): Promise<void> {
  const { context, company } = call
  const { name, id = null } = of.person(row)
  if (begins) {
    const recipient = { as: 'requester' as const, caller: call, clock: context.clock, person: { id, name } }
    await recordCreation(tx, begins.states, {
      scope: company.id,
      id: row.id,
      number: of.numberOf(row.id),
      event: begins.event,
      actor: by === 'staff' ? actorOf(call) : recipient,
      detail: begins.detail ?? {},
      ...(id !== null && { person: id }),
    })
  }
  const sender = call.session?.personId ?? null
  if (message === undefined) await attachFiles(tx, of, company.id, ofOpening(of, row.id), files, sender)
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
  await emailPerson(tx, context, of, company, row, confirmationEmail, { toCaller: by === 'requester' })
}
