import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { bySystem, insertDeferredPayment } from '../../outages/api.ts'

interface Due {
  kind: string
  payable_id: number
  cents: number
  reference: string
  name: string
  email: string
  person_id: number
  method_label: string
}

/**
 * Records each due charge that waits for the provider as a payment attempt, once for each outage and item. The portal
 * then treats AutoPay payers like payers who tried to pay manually.
 */
export async function noteDueCharges(
  tx: Tx,
  context: AppContext,
  company: Company,
  outage: number,
  today: string,
): Promise<void> {
  const { rows } = await sql<Due>`
    SELECT c.kind, c.payable_id, c.notified_cents AS cents, a.reference, trim(p.first_name || ' ' || p.last_name) AS name, p.email,
      a.person_id, m.method_label
    FROM autopay_charge c JOIN autopay a ON a.company_id = c.company_id AND a.id = c.autopay_id
    JOIN person p ON p.company_id = a.company_id AND p.id = a.person_id
    JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
    WHERE c.company_id = ${company.id} AND c.state = 'planned' AND c.charge_on <= ${today}::date AND a.state = 'active' AND c.notified_cents > 0
      AND NOT EXISTS (SELECT FROM deferred_payment n JOIN deferred_payment_line l ON l.company_id = n.company_id AND l.deferred_payment_id = n.id
        WHERE n.company_id = c.company_id AND n.outage_id = ${outage} AND n.action = 'autopay' AND l.kind = c.kind AND l.payable_id = c.payable_id)
    ORDER BY c.id LIMIT 500`.execute(tx)
  for (const { kind, payable_id, cents, reference, name, email, person_id, method_label } of rows)
    await insertDeferredPayment(
      tx,
      company,
      {
        ...{
          outage_id: outage,
          action: 'autopay',
          made_at: context.clock.now(),
          reference,
          payer_name: name,
          email,
          person_id,
        },
        ...{ checkout_id: null, method_id: null, method_label, bill_cents: cents, total_cents: cents },
      },
      [{ kind, payable_id, amount_cents: cents }],
      bySystem(context.clock),
    )
}
