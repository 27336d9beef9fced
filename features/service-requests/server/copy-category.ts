import { implementCopy } from '../../../server/copies.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { copyFieldSet } from '../../../server/fields/sets.ts'
import { copyCategory } from '../contract-settings.ts'
import { type Category, readCategory } from './categories.ts'

/** Copies a category with its settings and questions. The copy is not in use, and it notifies no person. */
export const copyCategoryCall = implementCopy<Category>(copyCategory, {
  read: readCategory,
  names: { table: 'request_category', column: 'name', maxLength: 80 },
  nameOf: ({ name }) => name,
  audit: { action: 'request.category_added', subject: 'request_category' },
  async create({ call, tx, name }, { id: _id, field_set_id: set, ...source }) {
    const field_set_id = set === null ? null : await copyFieldSet(workOf(call, tx), set, name)
    const { id } = await tx
      .insertInto('request_category')
      .values({ ...source, name, field_set_id, is_active: 0 as const, escalate_to: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
})
