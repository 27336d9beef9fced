import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, downloadCall, endpoint } from '../../shared/endpoint.ts'
import { isPhone } from '../../shared/phone.ts'
import { cleaned } from '../../shared/typed.ts'

/**
 * Emails contain links that set passwords, so only the super administrator may read them. Outside the demo, the calls
 * return 404.
 */
const access: Access = { audience: 'platform', privilege: ['forgot_change_password', 'view'] }

const email = {
  id: z.number(),
  companyId: z.number(),
  to: z.string(),
  subject: z.string(),
  company: z.string(),
  at: z.string(),
}
const named = z.object({ companyId: z.union([z.number(), z.string()]), emailId: z.int() })

export const outboxEmail = endpoint({
  path: 'admin/return/outbox/email',
  summary: 'Returns a demo email with its text and attachment names',
  access,
  body: named,
  response: z.object({
    ...email,
    text: z.string(),
    attachments: z.array(z.object({ name: z.string(), bytes: z.int() })),
  }),
})

/** Returns an email to platform staff, which belongs to no company. */
export const platformEmail = endpoint({
  path: 'admin/return/outbox/platform/email',
  summary: 'Returns a demo email to platform staff',
  access,
  scope: 'none',
  body: z.object({ emailId: z.int() }),
  response: outboxEmail.response,
})

/** Downloads an email attachment. `at` is the index of the attachment, starting at 0. */
export const outboxAttachment = downloadCall({
  path: 'admin/download/outbox/attachment',
  summary: 'Downloads an attachment of a demo email',
  access,
  body: z.extend(named, { at: z.int().check(z.minimum(0)) }),
})

const phone = z.string().check(
  cleaned(),
  z.maxLength(30),
  z.refine((typed) => isPhone(typed), { error: 'Enter a 10-digit phone number.' }),
)

export const phoneTextForm = z.object({
  phone,
  to: phone,
  text: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter the text.'), z.maxLength(300, 'Use no more than 300 characters.')),
})

/** Sends a text message such as STOP from a sandbox phone. */
export const textFromSandbox = endpoint({
  path: 'admin/send/sandbox/text',
  summary: 'Sends a text message from a sandbox phone',
  access: { audience: 'platform', privilege: ['forgot_change_password', 'update'] },
  scope: 'none',
  body: phoneTextForm,
  response: done,
})
