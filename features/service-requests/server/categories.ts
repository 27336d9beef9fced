import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { latestVersion } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { CATEGORY_REQUIRED } from '../rules.ts'

export type Category = Selectable<Schema['request_category']>

/** Loads the active categories in the order that the company chose. */
export const activeCategories = (tx: Tx, company: CompanyId): Promise<Category[]> =>
  tx
    .selectFrom('request_category')
    .selectAll()
    .where('company_id', '=', company)
    .where('is_active', '=', 1)
    .orderBy('sort_no')
    .orderBy('id')
    .execute()

/**
 * Loads a category.
 * @param lock prevents concurrent changes until the transaction ends
 * @throws 404 if the company has no such category
 */
export async function readCategory(tx: Tx, company: CompanyId, id: number, lock = false): Promise<Category> {
  const query = tx.selectFrom('request_category').selectAll().where('company_id', '=', company).where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw notFound('This category was not found.')
  return row
}

/**
 * Loads the category that a requester chose.
 * @throws 422 if the category is not available
 */
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

const emptyDefinition: Definition = { steps: [] }

/**
 * Loads the published questions of a category. Returns an empty definition with version 0 if none were ever published.
 */
export async function questionsOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id }: Pick<Category, 'field_set_id'>,
): Promise<{ version: number; definition: Definition }> {
  if (field_set_id === null) return { version: 0, definition: emptyDefinition }
  const { latest_version } = await tx
    .selectFrom('field_set')
    .select('latest_version')
    .where('company_id', '=', company)
    .where('id', '=', field_set_id)
    .executeTakeFirstOrThrow()
  return latest_version === 0
    ? { version: 0, definition: emptyDefinition }
    : latestVersion({ tx, company }, field_set_id)
}
