import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { outsideCompanies, tenancyOn } from '../../server/tenancy.ts'

/** PIN of the demo resident, as documented in the README. */
const PIN = '481516'

const ended = (
  outcome: string,
) => sql`jsonb_build_object('misses', 0, 'text', jsonb_build_array('Goodbye.'), 'expects', 'end',
  'stage', jsonb_build_object('at', 'ended', 'outcome', ${sql.raw(outcome)}))`

/** Adds a call for each phone payment of the last year, and some calls that ended without a payment. */
export const demo: DemoPart = {
  company: async ({ db }, demoCompany, { company }) => {
    const pin = await hash(PIN)
    await outsideCompanies(db.platform)((tx) =>
      sql`
        UPDATE company SET pay_by_phone_number = '717555' || lpad((100 + id % 100)::text, 4, '0') WHERE id = ${company}`.execute(
        tx,
      ),
    )
    const email = demoCompany.people.find(({ accounts }) => accounts)?.email ?? ''
    await tenancyOn(db.app)(company, async (tx) => {
      await sql`
        UPDATE payment_settings SET has_pay_by_phone = 1, has_card_reader = 1, has_tele_check = 1 WHERE company_id = ${company}`.execute(
        tx,
      )
      await sql`
        INSERT INTO phone_pin (company_id, person_id, pin_hash, set_at)
        SELECT company_id, id, ${pin}, now() - interval '90 days' FROM person WHERE company_id = ${company} AND email = ${email}`.execute(
        tx,
      )
      await sql`
        INSERT INTO phone_call (company_id, voice_provider, voice_provider_call_id, phone, step_no, step, outcome, reference, order_id, attempt_id, started_at, ended_at)
        SELECT c.company_id, 'twilio', 'CA' || md5(c.id || c.outcome), '+1717555' || lpad((c.id * 7919 % 10000)::text, 4, '0'), 7, ${ended('c.outcome')}, c.outcome,
          c.reference, CASE WHEN c.outcome <> 'left' THEN c.id END, CASE WHEN c.outcome <> 'left' THEN c.attempt_id END, c.at - interval '100 seconds', c.at
        FROM (
          SELECT o.company_id, o.id, o.reference, o.created_at - k.earlier AS at,
            (SELECT max(a.id) FROM payment_attempt a WHERE a.company_id = o.company_id AND a.order_id = o.id) AS attempt_id,
            CASE WHEN k.earlier > interval '0' THEN 'left' WHEN o.status = 2 THEN 'declined' WHEN o.status = 0 THEN 'processing' ELSE 'paid' END AS outcome
          FROM payment_order o CROSS JOIN (VALUES (interval '0'), (interval '6 minutes')) AS k(earlier)
          WHERE o.company_id = ${company} AND o.location = 3 AND (k.earlier = interval '0' OR o.id % 9 = 0)
        ) c`.execute(tx)
    })
  },
}
