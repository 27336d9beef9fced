import { sql } from 'kysely'
import { aboutTown, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { dateIn } from '../../shared/dates.ts'

/** How many moves a year has: a town of families, and one by the harbor where many rent. */
const towns: Readonly<Record<string, { moves: number; everyOwner: number }>> = {
  maplegrove: { moves: 420, everyOwner: 7 },
  harborcity: { moves: 640, everyOwner: 3 },
}
const FIRST = `{Ann,Ben,Carla,Dev,Ella,Finn,Grace,Hugo,Iris,Jonas,Kira,Liam,Mona,Noah,Olive,Paul,Rosa,Sam,Tess,Will}`
const LAST = `{Abbott,Barnes,Castillo,Dalton,Ellis,Foster,Garcia,Hughes,Irwin,Jensen,Keller,Lopez,Meyer,Nolan,Ortiz,Porter,Reyes,Stone,Turner,Vance,Walsh,Young,Zimmer}`

/** A year of moves in two statements: each at addresses of its own, so that who answers for them follows from it alone. */
async function addMoves({ clock }: Demo, tx: Tx, company: CompanyId) {
  const town = await aboutTown(tx, company)
  const kind = towns[town.subdomain]
  if (!kind) return
  const now = clock.now()
  const today = dateIn(town.timeZone, now)
  await sql`
    WITH house AS (
      SELECT a.id, a.house_number || ' ' || s.name AS place, row_number() OVER (ORDER BY a.id * 7919 % 10007, a.id)::int AS k
      FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id WHERE a.company_id = ${company}
    ), move AS (
      SELECT n, 1 + n % 3 AS kind, ${now}::timestamptz - (n * 365.0 / ${kind.moves}::int) * interval '1 day' AS at,
        (${FIRST}::text[])[1 + n * 7 % 20] AS first, (${LAST}::text[])[1 + n * 11 % 23] AS last,
        n % ${kind.everyOwner}::int = 0 AS rents, out.id AS out_id, out.place AS out, into_.id AS in_id, into_.place AS "in"
      FROM generate_series(1, ${kind.moves}::int) n
      JOIN house out ON out.k = 2 * n LEFT JOIN house into_ ON into_.k = 2 * n + 1
    ), dated AS (
      SELECT *, (at + (5 + n % 9) * interval '1 day')::date AS on_day,
        CASE WHEN n % 19 = 0 THEN 'Withdrawn' WHEN (at + (5 + n % 9) * interval '1 day')::date < ${today}::date THEN 'Completed' ELSE 'Pending' END AS status
      FROM move WHERE "in" IS NOT NULL
    )
    INSERT INTO move_request (company_id, kind, status, created_at, updated_at, closed_at, name, email, leaves_place, leaves_address_id,
      leaves_on, enters_place, enters_address_id, enters_on, forwarding, final_read, first_read, owner_name, owner_email, owner_answer,
      owner_answered_at, owner_signed, owner_stands_in)
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
      SELECT id, name, 'out' AS does, leaves_on AS on_day, 'a' || leaves_address_id AS key, leaves_place AS place FROM move_request
      WHERE company_id = ${company} AND status = 'Completed' AND leaves_on IS NOT NULL
      UNION ALL
      SELECT id, name, 'in', enters_on, 'a' || enters_address_id, enters_place FROM move_request
      WHERE company_id = ${company} AND status = 'Completed' AND enters_on IS NOT NULL
    ), point AS (
      INSERT INTO service_point (company_id, place_key, place) SELECT ${company}::int, key, place FROM stop RETURNING id, place_key
    ), change AS (
      INSERT INTO service_point_change (company_id, service_point_id, move_id, does, on_day)
      SELECT ${company}::int, p.id, s.id, s.does, s.on_day FROM stop s JOIN point p ON p.place_key = s.key
    )
    INSERT INTO service_point_party (company_id, service_point_id, from_on, until_on, party, move_id, name)
    SELECT ${company}::int, p.id, '0001-01-01'::date, s.on_day, CASE WHEN s.does = 'in' THEN 'town' ELSE 'resident' END,
      CASE WHEN s.does = 'out' THEN s.id END, CASE WHEN s.does = 'out' THEN s.name ELSE '' END FROM stop s JOIN point p ON p.place_key = s.key
    UNION ALL
    SELECT ${company}::int, p.id, s.on_day, NULL, CASE WHEN s.does = 'in' THEN 'resident' ELSE 'town' END,
      CASE WHEN s.does = 'in' THEN s.id END, CASE WHEN s.does = 'in' THEN s.name ELSE '' END FROM stop s JOIN point p ON p.place_key = s.key`.execute(
    tx,
  )
}

export const demo: DemoPart = {
  town: async (demoOf, _town, { company }) => tenancyOn(demoOf.db.app)(company, (tx) => addMoves(demoOf, tx, company)),
}
