import { implementCopy } from '../../../server/copies.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { copyFieldSet } from '../../../server/fields/sets.ts'
import { copyTemplate } from '../contract.ts'
import { templateOf } from './templates.ts'

/** Copies an inspection template with its items and certificate. The copy is not in use. */
export const copyTemplateCall = implementCopy(copyTemplate, {
  read: (tx, company, id) => templateOf(tx, company, id),
  names: { table: 'inspection_template', column: 'name', maxLength: 120 },
  nameOf: ({ name }) => name,
  audit: { action: 'inspection.template_added', subject: 'inspection_template' },
  async create({ call, tx, name }, { id: _id, ...source }) {
    const field_set_id = await copyFieldSet(workOf(call, tx), source.field_set_id, name)
    const { id } = await tx
      .insertInto('inspection_template')
      .values({ ...source, name, field_set_id, is_active: 0 as const })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
})
