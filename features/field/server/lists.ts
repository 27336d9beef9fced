import { implementList } from '../../../server/list.ts'
import { sql } from 'kysely'
import { conflicts } from '../list.ts'

export const conflictLists = implementList(conflicts, {
  table: () => sql`field_conflict`,
  columns: {
    subject: 'subject_name',
    label: 'label',
    by: 'person_name',
    madeAt: 'made_at',
    status: 'status',
    decidedBy: 'finished_by',
  },
  row: () => ({ can: { view: true } }),
})
