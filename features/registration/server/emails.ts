import { defineNotice, type Letter, type NoticeSender } from '../../../server/notices/notice.ts'
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

/** What becomes of a registration, and by when it has to be confirmed, is never kept from its owner. */
const registrationNotice = <Facts>(event: NoticeEvent, words: (facts: Facts, at: NoticeSender) => Letter) =>
  defineNotice<Facts>({
    event,
    required: true,
    why: ({ name }) => say`You get this mail because you registered something with ${name}.`,
    words,
  })

export const received = registrationNotice<RegistrationNoticeData>('registration.received', (told, at) => ({
  subject: say`We have your registration ${told.number}`,
  paragraphs: [
    say`${told.name}, ${told.place}: the town looks at it, and you hear from us. The number ${told.number} stays for ever.`,
    open(at, told, say`See your registration`),
  ],
}))

export const registered = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.registered',
  (told, at) => ({
    subject: say`${told.number} is registered`,
    paragraphs: [
      say`${told.name}, ${told.place} is registered. We ask you to confirm it by ${formatDate(told.confirmBy)}.`,
      open(at, told, say`See your registration`),
    ],
  }),
)

export const asked = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.info_requested',
  (told, at) => ({
    subject: say`A question about your registration ${told.number}`,
    paragraphs: [
      say`${at.name} asks about ${told.name}, ${told.place}:`,
      told.reason,
      open(at, told, say`Answer and send it again`),
    ],
  }),
)

export const refused = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.rejected',
  (told, at) => ({
    subject: say`Your registration ${told.number} is refused`,
    paragraphs: [
      say`${at.name} could not register ${told.name}, ${told.place}. The reason:`,
      told.reason,
      open(at, told, say`Change it and send it again`),
    ],
  }),
)

export const ended = registrationNotice<RegistrationNoticeData & { reason: string }>(
  'registration.ended',
  (told, at) => ({
    subject: say`Your registration ${told.number} is ended`,
    paragraphs: [say`${at.name} ended the registration of ${told.name}, ${told.place}. The reason:`, told.reason],
  }),
)

export const confirmDue = registrationNotice<RegistrationNoticeData & { confirmBy: string }>(
  'registration.due',
  (told, at) => ({
    subject: say`Please confirm ${told.number} by ${formatDate(told.confirmBy)}`,
    paragraphs: [
      say`Is everything still right about ${told.name}, ${told.place}? If nothing has changed, one press is enough.`,
      say`Without it the registration lapses after ${formatDate(told.confirmBy)}.`,
      open(at, told, say`Confirm or change it`),
    ],
  }),
)

export const lapsed = registrationNotice<RegistrationNoticeData>('registration.lapsed', (told, at) => ({
  subject: say`Your registration ${told.number} has lapsed`,
  paragraphs: [
    say`${told.name}, ${told.place} was not confirmed in time. Confirm it now, and it goes on under the same number.`,
    open(at, told, say`Confirm or change it`),
  ],
}))

export const offered = registrationNotice<RegistrationNoticeData & { from: string; token: string; until: string }>(
  'registration.offered',
  (told, at) => ({
    subject: say`${told.from} offers you the registration ${told.number}`,
    paragraphs: [
      say`${told.from} says that ${told.name}, ${told.place} is yours from now on. Sign in with ${at.name} and take the registration over; it keeps its number.`,
      say`If you know nothing of this, do nothing. The link ends on ${formatDate(told.until)}.`,
      {
        label: say`Look at the offer`,
        says: say`Look at the offer: `,
        url: at.url(`${OWN_PATH}?offer=${told.token}`),
      },
    ],
  }),
)
