import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'

export const listZones = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('zone')
    .select(['id', 'kind', 'name'])
    .where('company_id', '=', company)
    .orderBy('kind')
    .orderBy('name')
    .execute()

/**
 * Returns the names of selected zones, sorted. `field` is the form field with the selection.
 * @throws 422 if a zone no longer exists in the company
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
  const gone = say`One of the selected zones is no longer on the municipality’s map. Choose the zones again.`
  throw rejected(gone, { [field]: gone })
}

/** Removes duplicates and sorts, so that equal selections have equal values. */
export const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)
