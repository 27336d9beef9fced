import { defineNotice } from '../../../server/notices/notice.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Reservation } from '../../rentals/api.ts'

interface CertificateNoticeData {
  row: Reservation
  timeZone: string
  isAccepted: boolean
  /** Reason that a replacement is needed. */
  reason: string
}

/** Notice about a certificate. Renters cannot turn it off, because they cannot check in without the certificate. */
export const certificateNotice = defineNotice<CertificateNoticeData>({
  event: 'rental.certificate',
  required: true,
  why: ({ name }) => say`You are receiving this email because you made a reservation with ${name}.`,
  content: ({ row, timeZone, isAccepted, reason }, at) => {
    const when = say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`
    const url = at.url(`/resource-rentals/reservation/${row.id}`)
    return isAccepted
      ? {
          subject: say`Reservation ${row.number}: certificate of insurance accepted`,
          paragraphs: [when, say`You do not need to do anything else.`, { label: say`View reservation`, url }],
        }
      : {
          subject: say`Reservation ${row.number}: new certificate of insurance needed`,
          paragraphs: [
            when,
            reason,
            say`Upload another certificate before your reservation starts. You can't check in without it.`,
            { label: say`Upload another certificate`, url },
          ],
        }
  },
})
