import { Readable } from 'node:stream'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { outboxAttachment, outboxMail, platformMail } from '../contract.ts'
import { inDemoAlone } from './in-demo-alone.ts'

/** @throws 404 if the email does not exist */
async function findMail(call: Call<{ mailId: number }>) {
  const { context, company, body } = call
  inDemoAlone(context)
  const mail = await call.inCompany((tx) =>
    tx
      .selectFrom('email_outbox')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('id', '=', body.mailId)
      .executeTakeFirst(),
  )
  if (!mail) throw notFound('This email was not found.')
  return mail
}

export const showMail = implement(outboxMail, async (call) => {
  const { company, context } = call
  const { id, to_address, subject, text_body, attachments, created_at } = await findMail(call)
  return {
    ...{ id, companyId: company.id, to: to_address, subject, company: company.name, at: created_at.toISOString() },
    text: text_body,
    attachments: await Promise.all(
      attachments.map(async (file) => ({
        name: file.filename,
        bytes: (await context.mailer.drawn(company.id, file)).length,
      })),
    ),
  }
})

export const downloadAttachment = implement(outboxAttachment, async (call) => {
  const { attachments } = await findMail(call)
  const file = attachments[call.body.at]
  if (!file) throw notFound('This attachment was not found.')
  const content = await call.context.mailer.drawn(call.company.id, file)
  return { name: file.filename, contentType: file.contentType, stream: Readable.from([content]) }
})

export const showPlatformMail = implement(platformMail, async ({ context, body }) => {
  inDemoAlone(context)
  const mail = await context.acrossCompanies((tx) =>
    tx.selectFrom('platform_email').selectAll().where('id', '=', body.mailId).executeTakeFirst(),
  )
  if (!mail) throw notFound('This email was not found.')
  const { id, to_address, subject, text_body, created_at } = mail
  return {
    ...{ id, companyId: 0, to: to_address, subject, company: 'Mainstreet', at: created_at.toISOString() },
    ...{ text: text_body, attachments: [] },
  }
})
