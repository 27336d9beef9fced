import { implement } from '../../../../server/call.ts'
import { findCase } from '../../../../server/cases/entries.ts'
import { findByLink } from '../../../../server/cases/guest.ts'
import { conflict, notFound } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { countAttempt, defineLimit } from '../../../../server/limits.ts'
import { defineNotice } from '../../../../server/notices/notice.ts'
import { notify } from '../../../../server/notices/notify.ts'
import { hashSecret } from '../../../../server/sessions.ts'
import { PDF } from '../../../../shared/file-types.ts'
import { say } from '../../../../shared/messages.ts'
import { emailFormCopy } from '../../contract-documents.ts'
import { numberOf } from '../../rules.ts'
import { submissionsCase } from '../case.ts'
import { copyOf, render } from './print.ts'

const COPY = 'forms.copy'
/** Limits copies per link, so that a person with the link can't flood the recipient's mailbox. */
const perLink = defineLimit('form-copy', { max: 5, minutes: 1440 })

/** Answers leave the portal only if the sender requests a copy. Other emails contain only a link. */
const copy = defineNotice<{ id: number; title: string }>({
  event: 'form.copy',
  required: true,
  toCaller: () => true,
  why: ({ name }) =>
    say`You are receiving this email because someone asked ${name} to send a copy of a form to this address.`,
  content: ({ id, title }) => ({
    subject: say`A copy of “${title}”`,
    paragraphs: [say`Your form “${title}” (${numberOf(id)}) is attached with your answers. Keep it for your records.`],
    attachments: [{ filename: `${numberOf(id)}.pdf`, contentType: PDF, renderedBy: COPY, of: id }],
  }),
})

/** Registers the renderer of attached copies with the mailer. */
export function renderCopies(context: AppContext): void {
  context.mailer.renders(COPY, async (id, submission) => {
    const company = await context.hosts.byId(id)
    if (!company) throw notFound()
    const what = await context.inCompany(id, async (tx) =>
      copyOf(tx, { context, company }, await findCase(tx, submissionsCase, id, submission)),
    )
    return Buffer.from(await render(`${id}/mail`, company, what, context.clock.now()))
  })
}

export const emailFormCopyCall = implement(emailFormCopy, async (call) => {
  const { company, context, body } = call
  await countAttempt(context, [perLink(`${company.id}/${hashSecret(body.token).toString('hex')}`)])
  const row = await call.reading(async (tx) =>
    findCase(tx, submissionsCase, company.id, await findByLink(tx, submissionsCase, call, call.body.token)),
  )
  if (row.submitted_at === null) throw conflict('wrong_status', 'This form has not been submitted yet.')
  if (row.email === '')
    throw conflict('no_email', 'No email address was entered on this form. Download the copy instead.')
  const { id, title, email } = row
  return call.inCompany(async (tx) => {
    await notify(tx, context, { at: company, to: email, notice: copy, data: { id, title } })
    return { success: true as const, message: say`Sending a copy to ${email}.` }
  })
})
