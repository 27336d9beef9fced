import { sql } from 'kysely'
import type { Secrets } from '../../server/secrets.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays } from '../../shared/dates.ts'
import type { NoteKind } from './rules.ts'
import { sealedNote } from './server/premise-notes.ts'

const AGREED = { agreedBy: 'The resident', agreedHow: 'On paper, at the fire house' }

/** Sample premise notes, each with the number of times that staff viewed it. */
const notes: readonly { kind: NoteKind; text: string; views: number; agreedBy?: string; agreedHow?: string }[] = [
  { kind: 'hazard', text: 'Four propane tanks behind the garage, fenced. Shutoff at the left post.', views: 3 },
  { kind: 'access', text: 'Gate code 4417#. The key box is beside the meter; the gate swings outward.', views: 5 },
  {
    kind: 'person',
    text: 'Uses oxygen at night, bedroom on the ground floor, left of the door.',
    views: 2,
    ...AGREED,
  },
  { kind: 'hazard', text: 'Solar panels on the roof with a battery in the cellar. Shutoff in the hall.', views: 1 },
  { kind: 'access', text: 'Driveway bridge bears 8 tons. Park the engine in the street.', views: 4 },
  {
    kind: 'person',
    text: 'Is deaf and sleeps at the back. A flashing bell is by the front door.',
    views: 2,
    ...AGREED,
  },
  { kind: 'hazard', text: 'Floor of the back porch is rotten. Enter only by the front.', views: 0 },
  { kind: 'access', text: 'Dog in the yard. The owner answers the bell at the side door.', views: 1 },
  {
    kind: 'person',
    text: 'Cannot take the stairs. Evacuation chair on the second floor landing.',
    views: 3,
    agreedBy: 'Her daughter, by power of attorney',
    agreedHow: 'By signed letter',
  },
]

/** Adds encrypted notes to every nth address, where n is `every`. The notes have the same form as notes from staff. */
export async function addNotes(
  tx: Tx,
  secrets: Secrets,
  { company, today, crew, every }: { company: CompanyId; today: string; crew: string; every: number },
): Promise<void> {
  const rows = notes.map(({ agreedBy = '', agreedHow = '', views, kind, text }, n) => ({
    n: n + 1,
    views,
    written: addDays(today, -30 * (n + 2)),
    // The oldest note is overdue for confirmation. The second oldest is due within a month.
    ...sealedNote(secrets, {
      kind,
      text,
      agreedBy,
      agreedHow,
      agreedOn: agreedBy && addDays(today, -30 * (n + 2)),
      confirmOn: addDays(today, 340 - 45 * n),
    }),
  }))
  await sql`
    WITH x AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(n int, views int, written date, kind text,
        text_sealed text, agreed_by text, agreed_on date, agreed_how text, confirm_on date)),
    house AS (
      SELECT a.id, a.house_number || ' ' || s.name AS location, a.lat, a.lon, a.at, row_number() OVER (ORDER BY a.id) AS n
      FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id WHERE a.company_id = ${company}),
    made AS (
      INSERT INTO premise_note (company_id, kind, location, address_id, lat, lon, at, text_sealed, agreed_by, agreed_on, agreed_how,
        confirm_on, written_at, written_by)
      SELECT ${company}::int, x.kind, h.location, h.id, h.lat, h.lon, h.at, x.text_sealed, x.agreed_by, x.agreed_on, x.agreed_how,
        x.confirm_on, x.written + interval '15 hours', ${crew}
      FROM x JOIN house h ON h.n = x.n * ${every}::int ORDER BY x.n RETURNING company_id, id, text_sealed)
    INSERT INTO premise_note_access (company_id, note_id, at, person_id, by_name)
    SELECT m.company_id, m.id, x.written + g * interval '9 days 5 hours', p.id, p.first_name || ' ' || p.last_name
    FROM made m JOIN x ON x.text_sealed = m.text_sealed CROSS JOIN LATERAL generate_series(1, x.views) AS g
    CROSS JOIN (SELECT id, first_name, last_name FROM person WHERE company_id = ${company} AND role_id >= 3 ORDER BY id LIMIT 1) AS p`.execute(
    tx,
  )
}
