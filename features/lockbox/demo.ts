import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { tenancyOn } from '../../server/tenancy.ts'

/** Utility accounts, numbered from the newest. In the demo data, a stranger pays for one of them. */
const SOME = sql`SELECT account_number, customer_name, row_number() OVER (ORDER BY id DESC) AS n FROM utility_account`

/** Lockbox payments of one year. The last three payments need review, and one was returned. */
export const demo: DemoPart = {
  company: ({ db, clock }, _demoCompany, { company }) =>
    tenancyOn(db.app)(company, async (tx) => {
      const now = clock.now()
      await sql`
        INSERT INTO lockbox_payment (company_id, trace, file_name, received_at, paid_on, account, payer_name, amount_cents, state, order_id,
          finished_at, search_text)
        SELECT o.company_id, substring(o.method_label FROM 'number (.*)$'), 'lockbox-' || to_char(o.created_at, 'YYYY-MM-DD') || '.csv', o.created_at,
          o.created_at::date - 1, o.reference, o.payer_name, o.total_cents, 'posted', o.id, o.paid_at,
          lower(concat_ws(' ', substring(o.method_label FROM 'number (.*)$'), o.reference, o.payer_name))
        FROM payment_order o WHERE o.company_id = ${company} AND o.location = 7`.execute(tx)
      await sql`
        WITH picked AS (${SOME} WHERE company_id = ${company} ORDER BY id DESC LIMIT 3)
        INSERT INTO lockbox_payment (company_id, trace, file_name, received_at, paid_on, account, payer_name, amount_cents, state, reason,
          finished_at, search_text)
        SELECT ${company}, w.trace, 'lockbox-' || to_char(w.at, 'YYYY-MM-DD') || '.csv', w.at, w.at::date - 1, w.account, w.payer, w.cents, w.state, w.reason,
          CASE w.state WHEN 'returned' THEN w.at + interval '5 hours' END, lower(concat_ws(' ', w.trace, w.account, w.payer))
        FROM (
          SELECT 'BPX' || 9000 + n AS trace, ${now}::timestamptz - n * interval '27 hours' AS at,
            CASE n WHEN 1 THEN account_number WHEN 2 THEN account_number || '7' ELSE '' END AS account,
            CASE n WHEN 1 THEN 'Wilhelmina Ostrander' ELSE customer_name END AS payer, 6000 + n * 1337 AS cents, 'waiting' AS state,
            CASE n WHEN 1 THEN 'The account belongs to ' || customer_name || ', but Wilhelmina Ostrander paid.'
              WHEN 2 THEN 'No account has the number ' || account_number || '7.' ELSE 'The bank sent no account number.' END AS reason
          FROM picked
          UNION ALL SELECT 'BPX8001', ${now}::timestamptz - interval '40 days', '4471', 'Keystone Realty Trust', 21450, 'returned',
            'Not one of our customers. We notified the bank.'
        ) w`.execute(tx)
      await sql`
        INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
        SELECT l.company_id, 'lockbox_payment', l.id, s.seq, s.before, s.after, s.event, s.at, s.kind, s.name, s.reason
        FROM lockbox_payment l CROSS JOIN LATERAL (VALUES
          (1, '', CASE l.state WHEN 'posted' THEN 'posted' ELSE 'waiting' END, CASE l.state WHEN 'posted' THEN 'post' ELSE 'wait' END,
            l.received_at, 'system', 'Mainstreet', ''),
          (2, 'waiting', 'returned', 'return_payment', l.finished_at, 'municipality', 'The office', l.reason)
        ) AS s(seq, before, after, event, at, kind, name, reason)
        WHERE l.company_id = ${company} AND (s.seq = 1 OR l.state = 'returned')`.execute(tx)
    }),
}
