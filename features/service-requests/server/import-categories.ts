import { defineColumns } from '../../../server/columns.ts'
import { say } from '../../../shared/messages.ts'
import { defineImporter, departmentIds, oneOf, parseRow, yesIn } from '../../../server/importers.ts'
import { categoryForm } from '../contract-settings.ts'
import { createCategory } from './save-category.ts'

const columns = defineColumns('request_categories', {
  needs: ['name', 'days'],
  columns: {
    name: { title: 'Category', aliases: 'name request_type type issue_type service', sample: 'Pothole' },
    hint: { title: 'Help text', aliases: 'hint description details', sample: 'A hole in a town road.' },
    department: { title: 'Department', aliases: 'owner responsible_department team' },
    days: {
      title: 'Target days',
      aliases: 'days sla sla_days due_days resolution_days',
      content: 'number',
      sample: '5',
      preset: '5',
    },
    guests: { title: 'Open to guests', aliases: 'public guests anonymous', sample: 'yes' },
    location: { title: 'Location required', aliases: 'needs_location location', sample: 'yes' },
  },
})

/** Imports request categories. A category with a known name stays as it is. */
defineImporter({
  kind: 'request_categories',
  columns,
  undo: { tables: [{ table: 'request_category' }] },
  async start({ tx, call }) {
    const company = call.company.id
    const departments = await departmentIds(tx, company)
    const rows = await tx
      .selectFrom('request_category')
      .select(['name', 'sort_no'])
      .where('company_id', '=', company)
      .execute()
    const existing = new Set(rows.map(({ name }) => name.toLowerCase()))
    let sortNo = Math.max(0, ...rows.map((row) => row.sort_no))
    return {
      take: (get) =>
        parseRow(categoryForm, {
          name: get('name'),
          hint: get('hint', 300),
          sortNo: 0,
          active: true,
          departmentId: oneOf(say`Department`, get('department'), departments),
          targetDays: Number(get('days')),
          escalateTo: null,
          forGuests: get('guests') === '' || yesIn(get('guests')),
          needsLocation: get('location') === '' || yesIn(get('location')),
          onMap: true,
        }),
      keyOf: ({ name }) => name.toLowerCase(),
      async write(form) {
        if (existing.has(form.name.toLowerCase())) return 'unchanged'
        sortNo += 1
        await createCategory(tx, call, { ...form, sortNo })
        return 'created'
      },
    }
  },
})
