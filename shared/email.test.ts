import { expect, it } from 'vitest'
import { EMAIL_INVALID, emailOrNone, newEmail, PLAIN_EMAIL } from './email.ts'

const issueMessage = (text: string) => emailOrNone.safeParse(text).error?.issues[0]?.message

it.each(['gus@mail', 'gus', 'gus@', '@mail.example', 'gus@mail.'])(
  'explains that %s is not an email address',
  (text) => {
    expect(issueMessage(text)).toBe(EMAIL_INVALID)
    expect(newEmail.safeParse(text).error?.issues[0]?.message).toBe(EMAIL_INVALID)
  },
)

it.each(['güs@mail.example', 'gus@maıl.example'])('asks for plain letters in %s', (text) =>
  expect(issueMessage(text)).toBe(PLAIN_EMAIL),
)

it('accepts no address', () => expect(emailOrNone.safeParse('').success).toBe(true))
