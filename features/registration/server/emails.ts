import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { formatDate } from '../../../shared/dates.ts'
import type { NoticeEvent } from '../../../shared/notice-events.ts'
import { say } from '../../../shared/words.ts'
import { OWN_PATH } from '../rules.ts'

export interface RegistrationNoticeData {
  id: number
  number: string
  name: string
  place: string
}

const open = (at: NoticeSender, { id }: RegistrationNoticeData, label: string) => ({
  label,
  says: say`${label}: `,
  url: at.url(`${OWN_PATH}?registration=${id}`),
})

/** Defines a required notice, because the owner must learn of the registration's status and deadline. */
const registrationNotice = <Data>(event: NoticeEvent, content: (data: Data, at: NoticeSender) => EmailTemplate) =>
  defineNotice<Data>({
    event,
    required: true,
    why: ({ name }) => say`You get this mail because you registered something with ${name}.`,
    content,
  })

export const received = registrationNotice<RegistrationNoticeData>('registration.received', (data, at) => ({
  subject: say`We have your registration ${data.number}`,
  paragraphs: [
    say`${data.name}, ${data.place}: the town looks at it, and you hear from us. The number ${data.number} stays for ever.`,
    open(at, data, say`See your registration`),
  ],
}))

export const registered = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.registered',
  (data, at) => ({
    subject: say`${data.number} is registered`,
    paragraphs: [
      say`${data.name}, ${data.place} is registered. We ask you to confirm it by ${formatDate(data.confirmBy)}.`,
      open(at, data, say`See your registration`),
    ],
  }),
)

export const infoRequested = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.info_requested',
  (data, at) => ({
    subject: say`A question about your registration ${data.number}`,
    paragraphs: [
      say`${at.name} asks about ${data.name}, ${data.place}:`,
      data.reason,
      open(at, data, say`Answer and send it again`),
    ],
  }),
)

export const refused = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.rejected',
  (data, at) => ({
    subject: say`Your registration ${data.number} is refused`,
    paragraphs: [
      say`${at.name} could not register ${data.name}, ${data.place}. The reason:`,
      data.reason,
      open(at, data, say`Change it and send it again`),
    ],
  }),
)

export const ended = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.ended',
  (data, at) => ({
    subject: say`Your registration ${data.number} is ended`,
    paragraphs: [say`${at.name} ended the registration of ${data.name}, ${data.place}. The reason:`, data.reason],
  }),
)

export const confirmDue = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.due',
  (data, at) => ({
    subject: say`Please confirm ${data.number} by ${formatDate(data.confirmBy)}`,
    paragraphs: [
      say`Is everything still right about ${data.name}, ${data.place}? If nothing has changed, one press is enough.`,
      say`Without it the registration lapses after ${formatDate(data.confirmBy)}.`,
      open(at, data, say`Confirm or change it`),
    ],
  }),
)

export const lapsed = registrationNotice<RegistrationNoticeData>('registration.lapsed', (data, at) => ({
  subject: say`Your registration ${data.number} has lapsed`,
  paragraphs: [
    say`${data.name}, ${data.place} was not confirmed in time. Confirm it now, and it goes on under the same number.`,
    open(at, data, say`Confirm or change it`),
  ],
}))

export const offered = registrationNotice<RegistrationNoticeData & { from: string; token: string; until: string }>(
  'registration.offered',
  (data, at) => ({
    subject: say`${data.from} offers you the registration ${data.number}`,
    paragraphs: [
      say`${data.from} says that ${data.name}, ${data.place} is yours from now on. Sign in with ${at.name} and take the registration over; it keeps its number.`,
      say`If you know nothing of this, do nothing. The link ends on ${formatDate(data.until)}.`,
      {
        label: say`Look at the offer`,
        says: say`Look at the offer: `,
        url: at.url(`${OWN_PATH}?offer=${data.token}`),
      },
    ],
  }),
)
