import { Readable } from 'node:stream'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { outboxAttachment, outboxEmail, platformEmail } from '../contract.ts'
import { inDemoAlone } from './demo-only.ts'

/** @throws 404 if the email does not exist */
async function findEmail(call: Call<{ emailId: number }>) {
  const { context, company, body } = call
  inDemoAlone(context)
  const email = await call.inCompany((tx) =>
    tx
      .selectFrom('email_outbox')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('id', '=', body.emailId)
      .executeTakeFirst(),
  )
  if (!email) throw notFound('This email was not found.')
  return email
}

export const showEmail = implement(outboxEmail, async (call) => {
  const { company, context } = call
  const { id, to_address, subject, text_body, attachments, created_at } = await findEmail(call)
  return {
    ...{ id, companyId: company.id, to: to_address, subject, company: company.name, at: created_at.toISOString() },
    text: text_body,
    attachments: await Promise.all(
      attachments.map(async (file) => ({
        name: file.filename,
        bytes: (await context.mailer.rendered(company.id, file)).length,
      })),
    ),
  }
})

export const downloadAttachment = implement(outboxAttachment, async (call) => {
  const { attachments } = await findEmail(call)
  const file = attachments[call.body.at]
  if (!file) throw notFound('This attachment was not found.')
  const content = await call.context.mailer.rendered(call.company.id, file)
  return { name: file.filename, contentType: file.contentType, stream: Readable.from([content]) }
})

export const showPlatformEmail = implement(platformEmail, async ({ context, body }) => {
  inDemoAlone(context)
  const email = await context.acrossCompanies((tx) =>
    tx.selectFrom('platform_email').selectAll().where('id', '=', body.emailId).executeTakeFirst(),
  )
  if (!email) throw notFound('This email was not found.')
  const { id, to_address, subject, text_body, created_at } = email
  return {
    ...{ id, companyId: 0, to: to_address, subject, company: 'Mainstreet', at: created_at.toISOString() },
    ...{ text: text_body, attachments: [] },
  }
})
