import type { NoticeEvent } from '../../shared/notice-events.ts'
import { type Action, defineNotice, type EmailTemplate, type NoticeSender } from '../notices/notice.ts'
import { say } from '../../shared/messages.ts'

type AccountEvent = keyof { [E in NoticeEvent as E extends `account.${infer Name}` ? Name : never]: true }

/**
 * Defines an email about an account. These emails do not greet the recipient by name, because an impostor may have
 * entered the name. Recipients can't unsubscribe.
 */
export const accountNotice = <Data>(
  event: AccountEvent,
  content: (data: Data, at: NoticeSender) => EmailTemplate,
  toCaller: (data: Data) => boolean = () => true,
) =>
  defineNotice<Data>({
    event: `account.${event}`,
    required: true,
    toCaller,
    why: ({ name }) =>
      say`You are receiving this email because this address is used or was entered for an account with ${name}.`,
    content,
  })

/** Returns the link with which a person without a session can reset the password. */
export const newPassword = (at: NoticeSender): Action => ({
  label: say`Set a new password`,
  url: at.url(at.company ? '/reset-password' : '/admin/sign-in?forgot=1'),
})

export const confirmNotice = accountNotice<{ link: string }>('confirm_email', ({ link }, at) => ({
  subject: say`Confirm your email for ${at.name}`,
  paragraphs: [
    say`Someone entered this address for an account with ${at.name}. Open this link within 7 days to confirm that the address is yours:`,
    { label: say`Confirm your email`, url: link },
    say`If this was not you, ignore this email. We will not use your address unless you open the link.`,
  ],
}))

/**
 * Returns text about a new sign-in method, with a link to confirm the method. A confirmed method stays valid after the
 * owner sets a new password.
 */
export const confirmMethodText = (link: string): (string | Action)[] => [
  say`If this was you, confirm the new sign-in method so that it will still work after you set a new password. Open this link within 7 days:`,
  { label: say`This was me`, url: link },
]
