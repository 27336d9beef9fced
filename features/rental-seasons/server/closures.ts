import { sql } from 'kysely'
import { say } from '../../../shared/messages.ts'
import { defineClosures } from '../../rentals/api.ts'

/**
 * Closes the resources of a round during its season to everyone except staff. After confirmation, they stay closed
 * until each applicant has their allocation.
 */
defineClosures(async (tx, company, resource) => {
  const { rows } = await sql<{ from: string; until: string; name: string }>`
    SELECT r.season_from AS from, r.season_until AS until, r.name FROM rental_round r
    JOIN rental_round_resource c ON c.company_id = r.company_id AND c.round_id = r.id
    WHERE c.company_id = ${company} AND c.resource_id = ${resource} AND (r.status IN ('open', 'closed', 'lottery_run')
      OR r.status = 'confirmed' AND EXISTS (
        SELECT FROM rental_application a WHERE a.company_id = r.company_id AND a.round_id = r.id AND a.status = 'submitted'))`.execute(
    tx,
  )
  return rows.map(({ from, until, name }) => ({ from, until, reason: say`Reserved for season applications (${name})` }))
})
