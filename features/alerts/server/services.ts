import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ServiceNames } from '../contract-settings.ts'

/** Returns the services of a company in order, for the configuration and the staff panel. */
export async function readServices(tx: Tx, company: number): Promise<ServiceNames> {
  const rows = await tx
    .selectFrom('alert_service')
    .select(['type', 'name'])
    .where('company_id', '=', company)
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const of = (type: number) => rows.filter((row) => row.type === type).map(({ name }) => ({ name }))
  return { alerts: of(1), essentials: of(2), others: of(3) }
}

/**
 * Saves the services. A service with an existing name keeps its subscribers, and a missing service becomes inactive.
 */
export async function storeServices(tx: Tx, company: number, services: ServiceNames): Promise<void> {
  const { alerts, essentials, others } = services
  const named = [alerts, essentials, others].flatMap((of, at) =>
    of.map(({ name }, position) => ({ type: at + 1, name, position })),
  )
  await sql`UPDATE alert_service SET is_active = false WHERE company_id = ${company} AND is_active`.execute(tx)
  await sql`
    INSERT INTO alert_service (company_id, type, name, position)
    SELECT DISTINCT ON (r.type, lower(r.name)) ${company}, r.type, r.name, r.position
    FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS r (type int, name text, position int)
    ORDER BY r.type, lower(r.name), r.position
    ON CONFLICT ON CONSTRAINT alert_service_once
      DO UPDATE SET name = excluded.name, position = excluded.position, is_active = true`.execute(tx)
}

/** Deletes a person's choices, so that no alert is sent to a closed account. */
export const deleteAlertChoices = (tx: Tx, company: CompanyId, person: number): Promise<unknown> =>
  tx.deleteFrom('alert_choice').where('company_id', '=', company).where('person_id', '=', person).execute()
