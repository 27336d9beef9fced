import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { rentalStates } from './states.ts'

/**
 * Adds one or two waitlist entries for the next Saturdays of each resource. The demo resident of the README is once
 * second in line.
 * @param max number of reservations with a waitlist
 */
export async function addWaitlisted(tx: Tx, company: CompanyId, now: Date, max: number): Promise<void> {
  await sql`
    WITH wanted AS (
      SELECT v.*, row_number() OVER (ORDER BY v.starts_at, v.id)::int AS n
      FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
      WHERE v.company_id = ${company} AND v.status = 'confirmed' AND v.person_id IS NULL AND s.pieces = 1
        AND v.starts_at > ${now}::timestamptz + interval '6 days'
      ORDER BY v.starts_at, v.id LIMIT ${max}
    ), waiter AS (
      SELECT w.*, k FROM wanted w, generate_series(1, 1 + w.n % 2) AS k
    )
    INSERT INTO rental_reservation (company_id, resource_id, space_id, title, pieces, starts_at, ends_at, status, person_id, name, email, purpose,
      guests, is_resident, items, price_cents, security_deposit_cents, agreed_at, created_at, updated_at)
    SELECT w.company_id, resource_id, space_id, title, 1, starts_at, ends_at, 'waitlisted', p.id,
      coalesce(p.first_name || ' ' || p.last_name, (${NAMES}::text[])[1 + (n * 3 + k) % 8]),
      coalesce(p.email, lower(replace((${NAMES}::text[])[1 + (n * 3 + k) % 8], ' ', '.')) || '@example.com'),
      (${PURPOSES}::text[])[1 + (n + k) % 4], least(guests, 25), true, items, price_cents, security_deposit_cents, at, at, at
    FROM waiter w
    LEFT JOIN person p ON p.company_id = w.company_id AND p.email LIKE 'resident@%' AND n = 1 AND k = 2
    CROSS JOIN LATERAL (SELECT ${now}::timestamptz - (8 - k * 2) * interval '1 day' - n * interval '1 hour' AS at) AS t`.execute(
    tx,
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name)
    SELECT company_id, ${rentalStates.name}, id, 1, '', 'waitlisted', 'join_waitlist', created_at, 'citizen', name
    FROM rental_reservation WHERE company_id = ${company} AND status = 'waitlisted'`.execute(tx)
}

const NAMES = `{Nora Quinn,Theo Marsh,Alma Ruiz,Owen Pike,June Okoro,Ravi Shah,Lena Fox,Max Doyle}`
const PURPOSES = `{Wedding anniversary,Birthday party,Neighborhood meeting,Team practice}`
