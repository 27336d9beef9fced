import { sql } from 'kysely'
import { addDays } from '../../../shared/dates.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import { EXPIRY_NOTICE_DAYS } from '../rules.ts'
import { cardExpires } from './emails.ts'

interface ExpiringMethod {
  id: number
  person: number
  email: string
  method_label: string
  expires: string
  pays: string[]
}

/**
 * Notifies owners of cards that expire within a month, once for each card. Queues the notice and records it in one
 * transaction.
 */
export async function notifyOfExpiringCards(context: AppContext, company: Company, today: string): Promise<void> {
  const until = addDays(today, EXPIRY_NOTICE_DAYS)
  await context.inCompany(company.id, async (tx) => {
    const { rows } = await sql<ExpiringMethod>`
      UPDATE stored_method m SET expiry_notified_at = ${context.clock.now()} FROM person p
      WHERE m.company_id = ${company.id} AND m.expires_on BETWEEN ${today}::date AND ${until}::date
        AND m.expiry_notified_at IS NULL AND m.removed_at IS NULL AND p.company_id = m.company_id AND p.id = m.person_id
      RETURNING m.id, p.id AS person, p.email, m.method_label, m.expires_on AS expires,
        ARRAY(SELECT a.reference FROM autopay a
          WHERE a.company_id = m.company_id AND a.method_id = m.id AND a.state IN ('active', 'paused')
          ORDER BY a.reference) AS pays`.execute(tx)
    for (const { person, email, method_label: methodLabel, expires, pays } of rows)
      await notify(tx, context, {
        at: company,
        to: email,
        person,
        notice: cardExpires,
        data: { methodLabel, expires, pays },
      })
  })
}
