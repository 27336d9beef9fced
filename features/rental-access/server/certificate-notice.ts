import { defineNotice } from '../../../server/notices/notice.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import type { Reservation } from '../../rentals/api.ts'

interface CertificateNoticeData {
  row: Reservation
  timeZone: string
  isAccepted: boolean
  /** Reason that a replacement is needed. */
  reason: string
}

/** Required notice, because the renter cannot check in without the certificate. */
export const certificateNotice = defineNotice<CertificateNoticeData>({
  event: 'rental.certificate',
  required: true,
  why: ({ name }) => say`You get this mail because you reserved something from ${name}.`,
  content: ({ row, timeZone, isAccepted, reason }, at) => {
    const when = say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`
    const url = at.url(`/resource-rentals/reservation/${row.id}`)
    return isAccepted
      ? {
          subject: say`${row.number}: your insurance certificate is accepted`,
          paragraphs: [when, say`Nothing more is needed.`, { label: say`See the reservation`, url }],
        }
      : {
          subject: say`${row.number}: another insurance certificate is needed`,
          paragraphs: [
            when,
            reason,
            say`Send another one before it begins: nobody is let in without it.`,
            { label: say`Send another certificate`, url },
          ],
        }
  },
})
