import type { Selectable } from 'kysely'
import type { Definition } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/messages.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Scope } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { skippedItems } from '../rules.ts'

type Inspection = Selectable<Schema['inspection']>
type Item = Selectable<Schema['inspection_item']>

/** Returns the reasons why items of an inspection do not apply, by item id. */
export async function findSkippedItems(tx: Tx, company: Scope, inspection: Inspection, items: readonly Item[]) {
  const at = { tx, company: company as CompanyId }
  const { definition } = await versionOf(at, inspection.field_set_id, inspection.version)
  return skippedItemsOf(definition, inspection, items)
}

/**
 * Variant of `findSkippedItems` for a loaded definition. Date conditions use the inspection's due date, so that the
 * applicable items stay the same every day.
 */
export function skippedItemsOf(definition: Definition, inspection: Inspection, items: readonly Item[]) {
  const answeredItems = items.map(({ repeat_of: repeatOf, ...item }) => ({ ...item, repeatOf }))
  const left = skippedItems(definition, answeredItems, inspection.due_on)
  return new Map(
    [...left].map(([id, labels]) => [id, say`Not applicable because of the answer to: ${labels.join(', ')}`]),
  )
}
