import { outboxEmail, platformEmail } from '../features/outbox/contract.ts'
import { outboxEmails } from '../features/outbox/list.ts'
import { callOn, sessionOf } from './calls.ts'
import { expect } from './fixtures.ts'

const SUPER = 'super@mainstreet.example'

/** Waits for an email to an address with a matching subject. Returns the text of the newest one. */
export async function emailTo(address: string, subject: RegExp): Promise<string> {
  const { token } = await sessionOf('admin', SUPER)
  let text = ''
  await expect
    .poll(async () => {
      const { rows } = await callOn('admin', outboxEmails.call, { search: address }, token)
      const row = rows.find((email) => email.to === address && subject.test(email.subject))
      if (!row) return false
      const { companyId, id: emailId } = row
      const email = companyId
        ? await callOn('admin', outboxEmail, { companyId, emailId }, token)
        : await callOn('admin', platformEmail, { emailId }, token)
      text = email.text
      return true
    })
    .toBe(true)
  return text
}

/** Returns the path of the link in an email, with its code. */
export const linkIn = (text: string): string => {
  const { pathname, search } = new URL(/http\S+[=/][\w-]{43}/.exec(text)?.[0] ?? 'http://none/')
  return pathname + search
}
