import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Loads the names for the ids in a configuration, by field, for describing changes. */
export async function namesOf(tx: Tx, company: CompanyId): Promise<Record<string, Record<string, string>>> {
  const zones = await tx.selectFrom('timezone').select(['id', 'label']).execute()
  const processors = await tx.selectFrom('processor').select(['id', 'name']).execute()
  const settings = tx
    .selectFrom('company_config_version')
    .select('id')
    .where('company_id', '=', company)
    .where('section', '=', 'processors')
  const touched = await settings.limit(1).executeTakeFirst()
  const staff = touched ? await listStaff(tx, company) : []
  const people = Object.fromEntries(staff.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]))
  return {
    timezone_id: Object.fromEntries(zones.map(({ id, label }) => [id, label])),
    processor_id: Object.fromEntries(processors.map(({ id, name }) => [id, name])),
    ...{ primary_contact: people, secondary_contact: people },
  }
}

/** Maximum number of staff names to load. A company usually has dozens of staff. */
const MAX_STAFF = 1000

/** Lists current and former staff, because the history names both. */
const listStaff = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name'])
    .where('company_id', '=', company)
    .where('role_id', '>=', 3)
    .limit(MAX_STAFF)
    .execute()
