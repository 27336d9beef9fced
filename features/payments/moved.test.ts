import { expect } from 'vitest'
import { databaseBefore } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'

nightly(
  'steps that payments took before move over, whole and in order, also for an owner who obeys the policies',
  async () => {
    const { owner, moveOn } = await databaseBefore('_payments_have_states.sql', { poor: true })
    await owner.query(`
      INSERT INTO company (id, name, subdomain, timezone_id, address1, city, state, zipcode, phone_no, website_url)
      SELECT id, 'Town ' || id, 'town' || id, 1, '', '', 'PA', '17011', '7175550100', 'x' FROM unnest(ARRAY[901, 902]) AS id;
      INSERT INTO person (company_id, id, email, role_id, first_name, last_name)
      VALUES (901, 50, 'ann@example.org', 1, 'Ann', 'Lee'), (902, 51, 'clerk@example.org', 4, 'Una', '');
      INSERT INTO payment_order (company_id, id, status, person_id, reference, type, payer_name, payer_email, location, method, pay_type,
        bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text)
      SELECT town, id, status, person, 'A1', 'Utility', 'Ann', 'a@example.org', 1, 1, 1, 100, 0, 100, '{}', now(), ''
      FROM (VALUES (901, 7001, 1, 50), (901, 7002, 5, NULL), (902, 7003, 3, 51)) AS o(town, id, status, person);
      INSERT INTO order_status_history (company_id, order_id, seq, from_status, to_status, event, at)
      VALUES (901, 7001, 1, -1, 0, 'created', '2026-11-01'), (901, 7001, 2, 0, 2, 'declined', '2026-11-02'),
        (901, 7001, 3, 2, 0, 'new_attempt', '2026-11-03'), (901, 7001, 4, 0, 1, 'captured', '2026-11-04'),
        (901, 7002, 1, -1, 0, 'created', '2026-11-01'), (901, 7002, 2, 0, 5, 'cancelled', '2026-11-02'),
        (902, 7003, 1, -1, 0, 'created', '2026-11-01'), (902, 7003, 2, 0, 1, 'captured', '2026-11-01'),
        (902, 7003, 3, 1, 3, 'refunded', '2026-11-02')`)
    await moveOn()
    const rows = async (query: string) => (await owner.query(query)).rows
    const historyRows = await rows(`
      SELECT concat_ws(' ', company_id, subject_id, seq, '[' || from_state || ']', event, to_state, to_char(at, 'DD'), actor_kind, actor_id, actor_name) AS told
      FROM status_history WHERE machine = 'order' ORDER BY subject_id, seq`)
    expect(historyRows.map((row) => row.told)).toEqual([
      '901 7001 1 [] created 0 01 citizen 50 Ann Lee',
      '901 7001 2 [0] declined 2 02 system Mainstreet',
      '901 7001 3 [2] new_attempt 0 03 citizen 50 Ann Lee',
      '901 7001 4 [0] captured 1 04 system Mainstreet',
      '901 7002 1 [] created 0 01 guest Guest',
      '901 7002 2 [0] cancelled 5 02 guest Guest',
      '902 7003 1 [] created 0 01 municipality 51 Una',
      '902 7003 2 [0] captured 1 01 system Mainstreet',
      '902 7003 3 [1] refunded 3 02 system Mainstreet',
    ])
    const forced = `relname IN ('status_history', 'payment_order', 'person') AND NOT relforcerowsecurity`
    expect(await rows(`SELECT relname FROM pg_class WHERE ${forced}`)).toEqual([])
    await expect(rows('UPDATE payment_order SET status = 4 WHERE id = 7001')).rejects.toThrow(/check constraint/)
  },
)
