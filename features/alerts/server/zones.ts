import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'

/** The zones of a town's map that can be chosen, by kind. */
export const listZones = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('zone')
    .select(['id', 'kind', 'name'])
    .where('company_id', '=', company)
    .orderBy('kind')
    .orderBy('name')
    .execute()

/**
 * What chosen zones are called, in the order of their names. `field`: where they were chosen.
 * @throws 422 where one is no zone of the town any more
 */
export async function zoneNames(tx: Tx, company: CompanyId, ids: readonly number[], field: string): Promise<string[]> {
  if (ids.length === 0) return []
  const zones = await tx
    .selectFrom('zone')
    .select('name')
    .where('company_id', '=', company)
    .where('id', 'in', ids)
    .orderBy('name')
    .execute()
  if (zones.length === ids.length) return zones.map(({ name }) => name)
  const gone = say`A zone is gone from the town's map. Choose the zones again.`
  throw rejected(gone, { [field]: gone })
}

/** Each once, in one order, so that the same choice is always the same value. */
export const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)
