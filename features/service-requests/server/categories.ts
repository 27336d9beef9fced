import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { latestVersion } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { CATEGORY_REQUIRED } from '../rules.ts'

export type Category = Selectable<Schema['request_category']>

/** Those that can be chosen, in the town's order. */
export const activeCategories = (tx: Tx, company: CompanyId): Promise<Category[]> =>
  tx
    .selectFrom('request_category')
    .selectAll()
    .where('company_id', '=', company)
    .where('is_active', '=', 1)
    .orderBy('sort_no')
    .orderBy('id')
    .execute()

/** @param lock for a change, so that nobody else makes one meanwhile @throws 404 */
export async function readCategory(tx: Tx, company: CompanyId, id: number, lock = false): Promise<Category> {
  const asked = tx.selectFrom('request_category').selectAll().where('company_id', '=', company).where('id', '=', id)
  const row = await (lock ? asked.forUpdate() : asked).executeTakeFirst()
  if (!row) throw notFound('This category was not found.')
  return row
}

/** One that whoever reports chose. @throws 422 where it is not offered any more */
export async function chosenCategory(tx: Tx, company: CompanyId, id: number): Promise<Category> {
  const row = await tx
    .selectFrom('request_category')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  if (!row) throw rejected(CATEGORY_REQUIRED, { categoryId: CATEGORY_REQUIRED })
  return row
}

const nothingAsked: Definition = { steps: [] }

/** What is asked by now; nothing where no questions were ever published. */
export async function questionsOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id }: Pick<Category, 'field_set_id'>,
): Promise<{ version: number; definition: Definition }> {
  if (field_set_id === null) return { version: 0, definition: nothingAsked }
  const { latest_version } = await tx
    .selectFrom('field_set')
    .select('latest_version')
    .where('company_id', '=', company)
    .where('id', '=', field_set_id)
    .executeTakeFirstOrThrow()
  return latest_version === 0 ? { version: 0, definition: nothingAsked } : latestVersion({ tx, company }, field_set_id)
}
