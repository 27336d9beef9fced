import type { Selectable } from 'kysely'
import type { Definition } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/words.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { Scope } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { notAsked } from '../rules.ts'

type Inspection = Selectable<Schema['inspection']>
type Item = Selectable<Schema['inspection_item']>

/** Why items of an inspection are not asked, by their ids. */
export async function notAskedIn(tx: Tx, company: Scope, inspection: Inspection, items: readonly Item[]) {
  const at = { tx, company: company as CompanyId }
  const { definition } = await versionOf(at, inspection.field_set_id, inspection.version)
  return notAskedBy(definition, inspection, items)
}

/** The same where its definition is read. Dates are judged by the day of the inspection, so that a day later nothing else is asked. */
export function notAskedBy(definition: Definition, inspection: Inspection, items: readonly Item[]) {
  const asked = items.map(({ repeat_of: repeatOf, ...item }) => ({ ...item, repeatOf }))
  const left = notAsked(definition, asked, inspection.due_on)
  return new Map([...left].map(([id, labels]) => [id, say`Not asked, by what is answered to: ${labels.join(', ')}.`]))
}
