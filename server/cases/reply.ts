import { type Handler, implement } from '../call.ts'
import { conflict } from '../errors.ts'
import { formatPhone } from '../../shared/phone.ts'
import { say } from '../../shared/messages.ts'
import { addMessage, authorOf, lockCase } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { emailPerson } from './emails.ts'
import { countUse } from './saved-replies.ts'

/** Returns the calls for replies to the requester and for internal notes. */
export function replyCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  return [
    /** Sends a reply. Refuses if someone else wrote a message after the author started the reply. */
    implement(of.calls.reply, (call) => {
      const { context, company, body } = call
      return call.inCompany(async (tx) => {
        const row = await lockCase(tx, of, company.id, body.subjectId)
        const refusal = of.noReply(row)
        if (refusal) throw conflict('wrong_status', refusal)
        if (row.last_message_id !== body.seen)
          throw conflict('newer_message', 'Someone wrote a new message. Read it, then send or change your reply.')
        const entry = { by: authorOf(call, of), text: body.message, at: context.clock.now(), files: body.files }
        await addMessage(tx, context, of, row, 'reply', entry)
        await countUse(tx, of, row, body.savedReplyId)
        const details = await of.onReply(tx, call, row, body.complete)
        const texted = () => say`we replied to your request ${of.numberOf(row.id)}. The reply is in your email.`
        await emailPerson(tx, context, of, company, row, () => of.replyEmail(row, body.message, body.complete), {
          texted,
        })
        const { name, email, phone } = of.person(row)
        await call.audit(tx, {
          action: of.audit.replied,
          subject: { kind: of.subject, id: of.numberOf(row.id) },
          detail: { mailed: email !== '', ...details },
        })
        return {
          success: true as const,
          message: email
            ? say`Your reply was sent to ${email}.`
            : phone
              ? say`Your reply was saved. ${name} has no email address, so call ${formatPhone(phone)}.`
              : say`Your reply was saved. ${name} has no email address and no phone number.`,
        }
      })
    }),
    implement(of.calls.note, (call) => {
      const { context, company, body } = call
      return call.inCompany(async (tx) => {
        const row = await lockCase(tx, of, company.id, body.subjectId)
        const entry = { by: authorOf(call, of), text: body.message, at: context.clock.now(), files: body.files }
        await addMessage(tx, context, of, row, 'note', entry)
        await call.audit(tx, { action: of.audit.noted, subject: { kind: of.subject, id: of.numberOf(row.id) } })
        return { success: true as const, message: 'Note saved. The requester cannot see it.' }
      })
    }),
  ]
}
