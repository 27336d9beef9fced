import { expect } from 'vitest'
import { databaseBefore } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'

nightly(
  'what was said of support requests before there were cases moves over, whole, also for an owner who obeys the policies',
  async () => {
    const { owner, moveOn } = await databaseBefore('_cases.sql', { poor: true })
    const now = `'2026-11-01T12:00:00Z'`
    await owner.query(`
      INSERT INTO company (id, name, subdomain, timezone_id, address1, city, state, zipcode, phone_no, website_url)
      SELECT id, 'Town ' || id, 'town' || id, 1, '', '', 'PA', '17011', '7175550100', 'x' FROM unnest(ARRAY[901, 902]) AS id;
      INSERT INTO support_request (company_id, id, created_at, updated_at, category, name, email, phone, account_number, address, city,
        state, zipcode, message, assigned_to, last_message_id, last_from)
      SELECT 900 + n, 5000 + n, ${now}, ${now}, 'site', 'Ann', 'a@example.org', '', '', '', '', '', '', 'It stays white.', 7, n * 10 + 3, 'support'
      FROM generate_series(1, 2) AS n;
      INSERT INTO support_message (company_id, id, request_id, at, kind, author_id, author_name, text)
      SELECT 900 + n, n * 10 + k, 5000 + n, ${now}, (ARRAY['person', 'note', 'reply'])[k], NULLIF(k, 1), 'Author ' || k, 'Text ' || k
      FROM generate_series(1, 2) AS n, generate_series(1, 3) AS k;
      INSERT INTO support_link (company_id, token_hash, request_id, created_at, expires_at)
      SELECT 900 + n, decode(repeat('0' || n, 32), 'hex'), 5000 + n, ${now}, ${now} FROM generate_series(1, 2) AS n`)
    await moveOn()
    const rows = async (query: string) => (await owner.query(query)).rows
    expect(
      await rows(
        `SELECT company_id, id::int, subject_id::int, kind, visibility, author_kind, text FROM case_entry ORDER BY id`,
      ),
    ).toEqual(
      [1, 2].flatMap((n) => {
        const of = { company_id: 900 + n, subject_id: 5000 + n }
        return [
          { ...of, id: n * 10 + 1, kind: 'message', visibility: 'everyone', author_kind: 'person', text: 'Text 1' },
          { ...of, id: n * 10 + 2, kind: 'note', visibility: 'staff', author_kind: 'platform', text: 'Text 2' },
          { ...of, id: n * 10 + 3, kind: 'reply', visibility: 'everyone', author_kind: 'platform', text: 'Text 3' },
        ]
      }),
    )
    expect(await rows(`SELECT company_id, subject_id::int FROM case_link ORDER BY 1`)).toEqual([
      { company_id: 901, subject_id: 5001 },
      { company_id: 902, subject_id: 5002 },
    ])
    // Staff have no unread messages, and replies still count as staff replies.
    expect(await rows(`SELECT reader_id::int, seen_id::int FROM case_reader ORDER BY company_id`)).toEqual([
      { reader_id: 7, seen_id: 13 },
      { reader_id: 7, seen_id: 23 },
    ])
    expect(await rows(`SELECT DISTINCT last_from FROM support_request`)).toEqual([{ last_from: 'staff' }])
    // New numbers continue after the last one.
    const added =
      await rows(`INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_name, text)
      VALUES (901, 'support_request', 5001, now(), 'note', 'staff', 'platform', 'B', 'x') RETURNING id::int`)
    expect(added).toEqual([{ id: 24 }])
    expect(await rows(`SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'support_request'`)).toEqual([
      { forced: true },
    ])
  },
)
