import { defineColumns } from '../../../server/columns.ts'
import { byNames, dayIn, defineImporter, departmentIds, locationIn, noonOf, oneOf } from '../../../server/importers.ts'
import { fileUse, withHistory } from '../../../server/imported-rows.ts'
import { RowError } from '../../../server/row-error.ts'
import { say } from '../../../shared/messages.ts'
import { type OrderKind, type Severity, workOrderStatus } from '../rules.ts'
import { orderStates } from '../states.ts'
import { type ImportedOrder, importOrders, type ImportedStatus } from './open-work-order.ts'

const columns = defineColumns('work_orders', {
  needs: ['number', 'title', 'created'],
  columns: {
    number: {
      title: 'Old number',
      aliases: 'number work_order work_order_number wo_number wo order_number id',
      content: 'code',
      sample: 'W-2025-118',
    },
    title: { title: 'Title', aliases: 'subject summary task work_description name', sample: 'Replace curb inlet' },
    description: { title: 'Description', aliases: 'details notes instructions comments', sample: 'Grate is broken' },
    created: {
      title: 'Created',
      aliases: 'created_at date_created opened date_opened date',
      content: 'date',
      sample: '2025-08-04',
    },
    status: { title: 'Status', aliases: 'state', sample: 'Open' },
    completed: { title: 'Completed', aliases: 'completed_at date_completed closed date_closed', content: 'date' },
    due: { title: 'Due', aliases: 'due_date due_on target_date', content: 'date', sample: '2026-12-15' },
    kind: { title: 'Type', aliases: 'kind work_type category', sample: 'Repair' },
    priority: { title: 'Priority', aliases: 'severity urgency', sample: 'Standard' },
    location: { title: 'Location', aliases: 'address street place', sample: '12 Oak Street' },
    lat: { title: 'Latitude', aliases: 'lat y', content: 'latitude' },
    lon: { title: 'Longitude', aliases: 'lon lng long x', content: 'longitude' },
    asset: { title: 'Asset', aliases: 'asset_name equipment asset_id', sample: 'Inlet 14' },
    department: { title: 'Department', aliases: 'assigned_department team' },
  },
})

const { created, inProgress, completed, invalid } = workOrderStatus
const statuses = byNames<ImportedStatus>([
  [created, '|created|new|open|scheduled|assigned'],
  [inProgress, 'in progress|in-progress|started|on hold|reopened'],
  [completed, 'completed|complete|closed|done|finished'],
  [invalid, 'invalid|cancelled|canceled|void'],
])
const severities = byNames<Severity>([
  [0, 'high|urgent|emergency|critical|1'],
  [1, '|standard|medium|normal|routine|2'],
  [2, 'low|3'],
])
const kinds = byNames<OrderKind>([
  ['repair', '|repair'],
  ['reading', 'reading'],
  ['inspection', 'inspection'],
  ['maintenance', 'maintenance|preventive'],
])

/** Imports work orders with their old numbers. A known old number changes nothing. */
defineImporter({
  kind: 'work_orders',
  columns,
  max: 100_000,
  undo: {
    tables: withHistory('work_order', orderStates.name),
    uses: [fileUse('work_order', 'work_order')],
  },
  async start({ tx, call, changes }) {
    const company = call.company.id
    const departments = await departmentIds(tx, company)
    const rows = await tx
      .selectFrom('work_order')
      .select('old_number')
      .where('company_id', '=', company)
      .where('old_number', '<>', '')
      .execute()
    const existing = new Set(rows.map((row) => row.old_number))
    const years = new Set<number>()
    const batch: ImportedOrder[] = []
    const instantOf = (day: string) => noonOf(call.company, day)
    return {
      take(get) {
        const oldNumber = get('number', 40)
        const title = `${get('title', 76)} (${oldNumber})`
        const day = dayIn(say`Created`, get('created'))
        if (oldNumber === '') throw new RowError(say`Enter the old number.`)
        if (get('title') === '') throw new RowError(say`Enter a title.`)
        if (day === null) throw new RowError(say`Enter the date of the work order.`)
        if (instantOf(day) > call.context.clock.now())
          throw new RowError(say`The date of the work order is in the future.`)
        const status = oneOf(say`Status`, get('status'), statuses)
        const end = dayIn(say`Completed`, get('completed')) ?? day
        return {
          title,
          description: get('description', 4000),
          kind: oneOf(say`Type`, get('kind'), kinds),
          severity: oneOf(say`Priority`, get('priority'), severities),
          dueOn: dayIn(say`Due`, get('due')),
          departmentId: oneOf(say`Department`, get('department'), departments),
          assetName: get('asset', 120),
          location: locationIn(get('location'), get('lat', 20), get('lon', 20)),
          oldNumber,
          year: Number(day.slice(0, 4)),
          createdAt: instantOf(day),
          status,
          completedAt: status === completed ? instantOf(end < day ? day : end) : null,
        }
      },
      keyOf: ({ oldNumber }) => oldNumber,
      async write({ location, ...order }) {
        if (existing.has(order.oldNumber)) return 'unchanged'
        if (!years.has(order.year)) await changes.keep('work_order_number', 'year', [order.year])
        years.add(order.year)
        batch.push({ ...order, location: await location(tx, company) })
        return 'created'
      },
      flush: () => importOrders(tx, call, batch.splice(0)),
      end: () => changes.note('work_order_number', 'year', [...years]),
    }
  },
})
