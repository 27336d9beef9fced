import { changeRow } from '../../../server/db/rows.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify, noticeSenderOf } from '../../../server/notices/notify.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Reservation } from '../../rentals/api.ts'

interface SignNoticeData {
  row: Reservation
  timeZone: string
  /** Number of dates reserved together. */
  dates: number
  link: string
}

/** Renters cannot turn off this notice, because they cannot check in without a signature. */
const signNotice = defineNotice<SignNoticeData>({
  event: 'rental.to_sign',
  required: true,
  why: ({ name }) => say`You are receiving this email because you made a reservation with ${name}.`,
  content: ({ row, timeZone, dates, link }) => {
    const first = say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`
    return {
      subject: say`Reservation ${row.number}: answer questions and sign agreement`,
      paragraphs: [
        dates > 1 ? say`${first}, the first of ${dates} dates` : first,
        say`Please answer the questions about your reservation and sign the agreement before your reservation starts. You can't check in without a signed agreement.`,
        { label: say`Answer and sign`, url: link },
      ],
    }
  },
})

/** Emails the renter a personal link to sign without an account. The new link replaces earlier links. */
export async function notifySigner(tx: Tx, context: AppContext, company: Company, row: Reservation, dates: number) {
  const secret = newSecret()
  await changeRow(tx, 'rental_reservation', company.id, row.id, { sign_token_hash: hashSecret(secret) })
  const link = noticeSenderOf(context, company).url(`/resource-rentals/agreement/${secret}`)
  await notify(tx, context, {
    ...{ at: company, to: row.email, ...(row.person_id !== null && { person: row.person_id }) },
    notice: signNotice,
    data: { row, timeZone: company.timeZone, dates, link },
  })
}
