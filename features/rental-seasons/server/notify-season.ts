import { defineNotice } from '../../../server/notices/notice.ts'
import { say } from '../../../shared/messages.ts'
import type { Application, Round } from './rounds.ts'

interface SeasonNoticeData {
  row: Application
  round: Round
  /** Sentences about the current status of the application. */
  text: readonly string[]
  subject: string
  /** Ids of the reservation series. The attached calendar shows their dates. */
  series: readonly number[]
}

/** Applicants cannot turn off this notice, because they must know their allocation and its payment deadline. */
export const seasonNotice = defineNotice<SeasonNoticeData>({
  event: 'rental.season',
  required: true,
  why: ({ name }) => say`You are receiving this email because you applied for season-long reservations with ${name}.`,
  content: ({ row, round, text, subject, series }, at) => ({
    subject,
    paragraphs: [
      say`This email is about your application ${row.number} for ${round.name}.`,
      ...text,
      { label: say`View your application`, url: at.url(`/resource-rentals/season/${round.id}`) },
    ],
    attachments: series.map((of, n) => ({
      filename: `dates-${n + 1}.ics`,
      contentType: 'text/calendar',
      renderedBy: 'rental_series',
      of,
    })),
  }),
})
