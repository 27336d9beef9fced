import { expect } from 'vitest'
import { databaseBefore } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'

nightly(
  'steps that requests took before moves over, whole and in order, also for an owner who obeys the policies',
  async () => {
    const { owner, moveOn } = await databaseBefore('_support_requests_have_states.sql', { poor: true })
    await owner.query(`
      INSERT INTO company (id, name, subdomain, timezone_id, address1, city, state, zipcode, phone_no, website_url)
      SELECT id, 'Town ' || id, 'town' || id, 1, '', '', 'PA', '17011', '7175550100', 'x' FROM unnest(ARRAY[901, 902]) AS id;
      INSERT INTO person (company_id, id, email, role_id, first_name, last_name)
      VALUES (901, 50, 'ann@example.org', 1, 'Ann', 'Lee'), (902, 51, 'clerk@example.org', 4, 'Una', 'Second');
      INSERT INTO support_request (company_id, id, created_at, updated_at, category, name, email, phone, account_number, address, city,
        state, zipcode, message)
      SELECT town, id, now(), now(), 'site', 'Ann', 'a@example.org', '', '', '', '', '', '', 'It stays white.'
      FROM (VALUES (901, 5001), (901, 5002), (902, 5003)) AS r(town, id);
      INSERT INTO support_status_history (company_id, id, request_id, at, from_status, to_status, actor_kind, actor_id, actor_name, reason)
      VALUES (901, 1, 5001, '2026-11-01', -1, 0, 'person', 50, 'Ann', ''), (901, 2, 5002, '2026-11-01', -1, 0, 'person', NULL, 'Bo', ''),
        (902, 3, 5003, '2026-11-01', -1, 0, 'person', 51, 'Una', ''), (901, 4, 5001, '2026-11-02', 0, 1, 'platform', 7, 'Sy', ''),
        (901, 5, 5001, '2026-11-03', 1, 2, 'platform', 7, 'Sy', ''), (901, 6, 5001, '2026-11-04', 2, 3, 'person', NULL, 'Ann', ''),
        (901, 7, 5001, '2026-11-05', 3, 4, 'platform', 7, 'Sy', 'Advertising.')`)
    await moveOn()
    const { rows } = await owner.query(`
      SELECT concat_ws(' ', company_id, subject_id, seq, '[' || from_state || ']', event, to_state, to_char(at, 'DD'), actor_kind, actor_id, actor_name, reason) AS told
      FROM status_history WHERE machine = 'support_request' ORDER BY subject_id, seq`)
    expect(rows.map(({ told }) => told.trim())).toEqual([
      '901 5001 1 [] ask 0 01 citizen 50 Ann',
      '901 5001 2 [0] start 1 02 platform 7 Sy',
      '901 5001 3 [1] complete 2 03 platform 7 Sy',
      '901 5001 4 [2] reopen 3 04 guest Ann',
      '901 5001 5 [3] invalidate 4 05 platform 7 Sy Advertising.',
      '901 5002 1 [] ask 0 01 guest Bo',
      '902 5003 1 [] ask 0 01 municipality 51 Una',
    ])
    const { rows: forced } = await owner.query(
      `SELECT relname FROM pg_class WHERE relname IN ('status_history', 'person') AND NOT relforcerowsecurity`,
    )
    expect(forced).toEqual([])
  },
)
