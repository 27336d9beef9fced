import { sql } from 'kysely'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { dateIn } from '../../shared/dates.ts'
import { moveCase } from './contract.ts'

/** Moves per year of each demo company: few where families live, more where many people rent. */
const companyPlans: Readonly<Record<string, { moves: number; everyOwner: number }>> = {
  maplegrove: { moves: 420, everyOwner: 7 },
  harborcity: { moves: 640, everyOwner: 3 },
}
const FIRST = `{Ann,Ben,Carla,Dev,Ella,Finn,Grace,Hugo,Iris,Jonas,Kira,Liam,Mona,Noah,Olive,Paul,Rosa,Sam,Tess,Will}`
const LAST = `{Abbott,Barnes,Castillo,Dalton,Ellis,Foster,Garcia,Hughes,Irwin,Jensen,Keller,Lopez,Meyer,Nolan,Ortiz,Porter,Reyes,Stone,Turner,Vance,Walsh,Young,Zimmer}`

/**
 * Adds a year of moves in two statements. Each move has its own addresses, so the responsible party depends only on
 * that move.
 */
async function addMoves({ clock }: Demo, tx: Tx, company: CompanyId) {
  const companyInfo = await loadCompanyDetails(tx, company)
  const kind = companyPlans[companyInfo.subdomain]
  if (!kind) return
  const now = clock.now()
  const today = dateIn(companyInfo.timeZone, now)
  await sql`
    WITH house AS (
      SELECT a.id, a.house_number || ' ' || s.name AS premise, row_number() OVER (ORDER BY a.id * 7919 % 10007, a.id)::int AS k
      FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id WHERE a.company_id = ${company}
    ), move AS (
      SELECT n, 1 + n % 3 AS kind, ${now}::timestamptz - (n * 365.0 / ${kind.moves}::int) * interval '1 day' AS at,
        (${FIRST}::text[])[1 + n * 7 % 20] AS first, (${LAST}::text[])[1 + n * 11 % 23] AS last,
        n % ${kind.everyOwner}::int = 0 AS rents, out.id AS out_id, out.premise AS out, into_.id AS in_id, into_.premise AS "in"
      FROM generate_series(1, ${kind.moves}::int) n
      JOIN house out ON out.k = 2 * n LEFT JOIN house into_ ON into_.k = 2 * n + 1
    ), dated AS (
      SELECT *, (at + (5 + n % 9) * interval '1 day')::date AS on_day,
        CASE WHEN n % 19 = 0 THEN 'Withdrawn' WHEN (at + (5 + n % 9) * interval '1 day')::date < ${today}::date THEN 'Completed' ELSE 'Pending' END AS status
      FROM move WHERE "in" IS NOT NULL
    )
    INSERT INTO move_request (company_id, kind, status, created_at, updated_at, closed_at, name, email, leaves_premise, leaves_address_id,
      leaves_on, enters_premise, enters_address_id, enters_on, forwarding, final_reading, first_reading, owner_name, owner_email, owner_answer,
      owner_answered_at, owner_signed, owner_covers_vacancy)
    SELECT ${company}::int, kind, status, at, at, CASE WHEN status <> 'Pending' THEN at + interval '4 days' END,
      first || ' ' || last, lower(first || '.' || last) || n || '@example.com',
      CASE WHEN kind > 1 THEN out ELSE '' END, CASE WHEN kind > 1 THEN out_id END, CASE WHEN kind > 1 THEN on_day END,
      CASE WHEN kind <> 2 THEN "in" ELSE '' END, CASE WHEN kind <> 2 THEN in_id END, CASE WHEN kind <> 2 THEN on_day END,
      CASE WHEN kind = 2 THEN n || ' Station Road, Springfield' ELSE '' END,
      CASE WHEN kind > 1 AND status = 'Completed' THEN 40000 + n * 37 END, CASE WHEN kind <> 2 AND status = 'Completed' THEN 12000 + n * 53 END,
      CASE WHEN rents THEN 'Hillside Homes' ELSE '' END, CASE WHEN rents THEN 'office@hillside.example' ELSE '' END,
      CASE WHEN NOT rents THEN 'none' WHEN status = 'Completed' THEN 'agreed' ELSE 'asked' END,
      CASE WHEN rents AND status = 'Completed' THEN at + interval '1 day' END, CASE WHEN rents AND status = 'Completed' THEN 'Holly Hill' ELSE '' END,
      false
    FROM dated ORDER BY n DESC`.execute(tx)
  await sql`
    WITH stop AS (
      SELECT id, name, 'out' AS does, leaves_on AS on_day, 'a' || leaves_address_id AS key, leaves_premise AS premise FROM move_request
      WHERE company_id = ${company} AND status = 'Completed' AND leaves_on IS NOT NULL
      UNION ALL
      SELECT id, name, 'in', enters_on, 'a' || enters_address_id, enters_premise FROM move_request
      WHERE company_id = ${company} AND status = 'Completed' AND enters_on IS NOT NULL
    ), point AS (
      INSERT INTO service_point (company_id, premise_key, premise) SELECT ${company}::int, key, premise FROM stop RETURNING id, premise_key
    ), change AS (
      INSERT INTO service_point_change (company_id, service_point_id, move_id, does, on_day)
      SELECT ${company}::int, p.id, s.id, s.does, s.on_day FROM stop s JOIN point p ON p.premise_key = s.key
    )
    INSERT INTO service_point_party (company_id, service_point_id, from_on, until_on, party, move_id, name)
    SELECT ${company}::int, p.id, '0001-01-01'::date, s.on_day, CASE WHEN s.does = 'in' THEN 'company' ELSE 'resident' END,
      CASE WHEN s.does = 'out' THEN s.id END, CASE WHEN s.does = 'out' THEN s.name ELSE '' END FROM stop s JOIN point p ON p.premise_key = s.key
    UNION ALL
    SELECT ${company}::int, p.id, s.on_day, NULL, CASE WHEN s.does = 'in' THEN 'resident' ELSE 'company' END,
      CASE WHEN s.does = 'in' THEN s.id END, CASE WHEN s.does = 'in' THEN s.name ELSE '' END FROM stop s JOIN point p ON p.premise_key = s.key`.execute(
    tx,
  )
}

/** Adds the transitions of each move. Some moves also get a question and an answer from staff. */
async function addWhatHappened(tx: Tx, company: CompanyId) {
  const [staff] = await tx
    .selectFrom('person')
    .select(['id', sql<string>`trim(first_name || ' ' || last_name)`.as('name')])
    .where('company_id', '=', company)
    .where('role_id', '>=', 3)
    .orderBy('id')
    .limit(1)
    .execute()
  if (!staff) return
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT company_id, 'move_request', id, 1, '', 'Pending', 'request', created_at, 'guest', NULL::bigint, name FROM move_request
    WHERE company_id = ${company}
    UNION ALL
    SELECT company_id, 'move_request', id, 2, 'Pending', status, CASE status WHEN 'Completed' THEN 'complete' ELSE 'withdraw' END, closed_at,
      CASE status WHEN 'Completed' THEN 'municipality' ELSE 'guest' END, CASE status WHEN 'Completed' THEN ${staff.id}::bigint END,
      CASE status WHEN 'Completed' THEN ${staff.name} ELSE name END
    FROM move_request WHERE company_id = ${company} AND status <> 'Pending'`.execute(tx)
  await sql`
    WITH asked AS (SELECT * FROM move_request WHERE company_id = ${company} AND id % 9 = 0 AND status <> 'Withdrawn'),
    said AS (
      INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_id, author_name, text)
      SELECT ${company}::int, ${moveCase.kind}, x.* FROM (
        SELECT id, created_at + interval '5 hours' AS at, 'message' AS kind, 'everyone', 'person', NULL::bigint, name,
          CASE id % 3 WHEN 0 THEN 'Can the meter be read in the morning? I am at work from noon on.'
            WHEN 1 THEN 'Does the trash cart stay at the house, or do I take it along?' ELSE 'Do I get the final bill at my new address?' END FROM asked
        UNION ALL
        SELECT id, created_at + interval '1 day', 'reply', 'everyone', 'municipality', ${staff.id}::bigint, ${staff.name},
          CASE id % 3 WHEN 0 THEN 'Yes, between 8 and 11. You do not have to be there if we can reach the meter.'
            WHEN 1 THEN 'It stays with the house. Please leave it empty.' ELSE 'Yes, if you gave us one. Otherwise we email it.' END
        FROM asked WHERE id % 4 <> 0) x ORDER BY at
      RETURNING id, subject_id, kind, at)
    UPDATE move_request m SET last_message_id = s.last, last_from = CASE s.kind WHEN 'reply' THEN 'staff' ELSE 'person' END,
      first_reply_at = s.first_reply_at
    FROM (SELECT subject_id, max(id) AS last, (array_agg(kind ORDER BY id DESC))[1] AS kind, min(at) FILTER (WHERE kind = 'reply') AS first_reply_at
      FROM said GROUP BY subject_id) s
    WHERE m.company_id = ${company} AND m.id = s.subject_id`.execute(tx)
}

/** Adds the move settings. One company sends staff to read meters. The other company reads meters by radio. */
const addSettings = (tx: Tx, company: CompanyId, subdomain: string) =>
  sql`
    INSERT INTO moving_settings (company_id, for_guests, lead_days, max_lead_days, documents, reads_by)
    SELECT ${company}::int, true, 3, 120, 'the lease or the deed, and an identification with a photo', (SELECT id FROM department WHERE company_id = ${company} AND is_active = 1
      AND ${subdomain} = 'maplegrove' ORDER BY name ILIKE '%works%' DESC, id LIMIT 1)`.execute(tx)

export const demo: DemoPart = {
  company: async (demoOf, _demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, async (tx) => {
      await addMoves(demoOf, tx, company)
      await addWhatHappened(tx, company)
      await addSettings(tx, company, (await loadCompanyDetails(tx, company)).subdomain)
    }),
}
