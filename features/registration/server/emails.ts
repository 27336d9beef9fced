import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { formatDate } from '../../../shared/dates.ts'
import type { NoticeEvent } from '../../../shared/notice-events.ts'
import { say } from '../../../shared/messages.ts'
import { OWN_PATH } from '../rules.ts'

export interface RegistrationNoticeData {
  id: number
  number: string
  name: string
  location: string
}

const open = (at: NoticeSender, { id }: RegistrationNoticeData, label: string) => ({
  label,
  text: say`${label}: `,
  url: at.url(`${OWN_PATH}?registration=${id}`),
})

/** Defines a notice that owners cannot turn off, because they must learn of the registration's status and deadline. */
const registrationNotice = <Data>(event: NoticeEvent, content: (data: Data, at: NoticeSender) => EmailTemplate) =>
  defineNotice<Data>({
    event,
    required: true,
    why: ({ name }) => say`You are receiving this email because you have a registration with ${name}.`,
    content,
  })

export const received = registrationNotice<RegistrationNoticeData>('registration.received', (data, at) => ({
  subject: say`We received your registration ${data.number}`,
  paragraphs: [
    say`We are reviewing your registration for ${data.name}, ${data.location}, and will email you. Your registration number, ${data.number}, will stay the same.`,
    open(at, data, say`View your registration`),
  ],
}))

export const registered = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.registered',
  (data, at) => ({
    subject: say`Your registration ${data.number} is valid`,
    paragraphs: [
      say`${data.name}, ${data.location}, is registered. The registration is valid until ${formatDate(data.confirmBy)}. We will ask you to confirm it before then.`,
      open(at, data, say`View your registration`),
    ],
  }),
)

export const infoRequested = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.info_requested',
  (data, at) => ({
    subject: say`A question about your registration ${data.number}`,
    paragraphs: [
      say`${at.name} has a question about your registration for ${data.name}, ${data.location}:`,
      data.reason,
      open(at, data, say`Answer and resubmit your registration`),
    ],
  }),
)

export const refused = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.rejected',
  (data, at) => ({
    subject: say`Your registration ${data.number} was rejected`,
    paragraphs: [
      say`${at.name} could not register ${data.name}, ${data.location}. Reason:`,
      data.reason,
      open(at, data, say`Make changes and resubmit`),
    ],
  }),
)

export const ended = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.ended',
  (data, at) => ({
    subject: say`Your registration ${data.number} has ended`,
    paragraphs: [say`${at.name} ended the registration for ${data.name}, ${data.location}. Reason:`, data.reason],
  }),
)

export const confirmDue = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.due',
  (data, at) => ({
    subject: say`Please confirm registration ${data.number} by ${formatDate(data.confirmBy)}`,
    paragraphs: [
      say`Is your registration for ${data.name}, ${data.location}, still correct? If nothing has changed, you can confirm with one click.`,
      say`If you do not confirm the registration by ${formatDate(data.confirmBy)}, it will lapse.`,
      open(at, data, say`Confirm or change your registration`),
    ],
  }),
)

export const lapsed = registrationNotice<RegistrationNoticeData>('registration.lapsed', (data, at) => ({
  subject: say`Your registration ${data.number} has lapsed`,
  paragraphs: [
    say`You did not confirm your registration for ${data.name}, ${data.location}, in time. Confirm it now to keep the same registration number.`,
    open(at, data, say`Confirm or change your registration`),
  ],
}))

export const offered = registrationNotice<RegistrationNoticeData & { from: string; token: string; until: string }>(
  'registration.offered',
  (data, at) => ({
    subject: say`${data.from} wants to transfer registration ${data.number} to you`,
    paragraphs: [
      say`${data.from} says that ${data.name}, ${data.location}, now belongs to you. Sign in to the ${at.name} website and accept the registration. The registration number will stay the same.`,
      say`If you did not expect this email, ignore it. The link expires on ${formatDate(data.until)}.`,
      {
        label: say`View the offer`,
        text: say`View the offer: `,
        url: at.url(`${OWN_PATH}?offer=${data.token}`),
      },
    ],
  }),
)
