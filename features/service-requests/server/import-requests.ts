import { defineColumns } from '../../../server/columns.ts'
import { byNames, dayIn, defineImporter, departmentIds, locationIn, noonOf, oneOf } from '../../../server/importers.ts'
import { withHistory } from '../../../server/imported-rows.ts'
import { RowError } from '../../../server/row-error.ts'
import { whenUndone } from '../../../server/undo-imports.ts'
import { readWorkingTime } from '../../../server/working-time.ts'
import { say } from '../../../shared/messages.ts'
import { closingAfter } from '../../../shared/working-time.ts'
import { requestStatus } from '../rules.ts'
import { requestStates } from '../states.ts'
import { type ImportedRequest, type ImportedStatus, importRequests, laterUses } from './enter-request.ts'
import { recountRequests } from './request-sums.ts'

const columns = defineColumns('requests', {
  needs: ['number', 'category', 'created'],
  columns: {
    number: {
      title: 'Old number',
      aliases: 'number request_number request_id case_number ticket_number id service_request_id',
      content: 'code',
      sample: '2025-00417',
    },
    category: {
      title: 'Category',
      aliases: 'request_type type issue_type service_name problem_type',
      sample: 'Pothole',
    },
    description: { title: 'Description', aliases: 'details comments problem issue', sample: 'Deep hole at the curb' },
    created: {
      title: 'Created',
      aliases: 'created_at date_created opened date_opened submitted requested_datetime date',
      content: 'date',
      sample: '2025-09-14',
    },
    status: { title: 'Status', aliases: 'state request_status', sample: 'Completed' },
    closed: {
      title: 'Closed',
      aliases: 'closed_at date_closed completed completed_date resolved',
      content: 'date',
      sample: '2025-09-17',
    },
    due: { title: 'Due', aliases: 'due_date due_at target_date', content: 'date' },
    name: { title: 'Name', aliases: 'requester requester_name reported_by citizen contact', sample: 'Ann Lee' },
    email: { title: 'Email', aliases: 'email_address requester_email', content: 'email', sample: 'ann@example.com' },
    phone: { title: 'Phone', aliases: 'phone_number telephone', content: 'phone' },
    location: { title: 'Location', aliases: 'address street place', sample: '12 Oak Street' },
    lat: { title: 'Latitude', aliases: 'lat y', content: 'latitude' },
    lon: { title: 'Longitude', aliases: 'lon lng long x', content: 'longitude' },
    department: { title: 'Department', aliases: 'assigned_department team owner' },
  },
})

const { new: isNew, inProgress, completed, invalid } = requestStatus
const statuses = byNames<ImportedStatus>([
  [isNew, '|new|open|received|submitted|acknowledged'],
  [inProgress, 'in progress|in-progress|assigned|started|reopened'],
  [completed, 'completed|complete|closed|resolved|done'],
  [invalid, 'invalid|cancelled|canceled|duplicate|rejected'],
])

/** Imports requests with their old numbers. A known old number changes nothing, so a file can be imported again. */
defineImporter({
  kind: 'requests',
  columns,
  max: 100_000,
  undo: {
    tables: withHistory('service_request', requestStates.name),
    uses: laterUses,
  },
  async start({ tx, call, changes }) {
    const company = call.company.id
    const now = call.context.clock.now()
    const [departments, workingTime] = [await departmentIds(tx, company), await readWorkingTime(tx, call.company)]
    const rows = await tx
      .selectFrom('request_category')
      .select(['id', 'name', 'department_id', 'target_days'])
      .where('company_id', '=', company)
      .execute()
    const categories = new Map(rows.map((row) => [row.name.toLowerCase(), row]))
    const old = await tx
      .selectFrom('service_request')
      .select('old_number')
      .where('company_id', '=', company)
      .where('old_number', '<>', '')
      .execute()
    const existing = new Set(old.map((row) => row.old_number))
    const made: number[] = []
    const batch: ImportedRequest[] = []
    const years = new Set<number>()
    const instantOf = (day: string) => noonOf(call.company, day)
    return {
      take(get) {
        const category = oneOf(say`Category`, get('category'), categories)
        const created = dayIn(say`Created`, get('created'))
        const number = get('number', 60)
        if (number === '') throw new RowError(say`Enter the old number.`)
        if (created === null) throw new RowError(say`Enter the date of the request.`)
        const createdAt = instantOf(created)
        if (createdAt > now) throw new RowError(say`The date of the request is in the future.`)
        const status = oneOf(say`Status`, get('status'), statuses)
        const isClosed = status === completed || status === invalid
        const closed = dayIn(say`Closed`, get('closed')) ?? created
        const due = dayIn(say`Due`, get('due'))
        return {
          number,
          year: Number(created.slice(0, 4)),
          category,
          createdAt,
          status,
          closedAt: isClosed ? instantOf(closed < created ? created : closed) : null,
          dueAt: due ? instantOf(due) : closingAfter(workingTime, createdAt, category.target_days),
          departmentId: get('department')
            ? oneOf(say`Department`, get('department'), departments)
            : category.department_id,
          location: locationIn(get('location'), get('lat', 20), get('lon', 20)),
          text: {
            description: `${get('description', 3900)}\n${say`Previous number: ${number}`}`.trim(),
            name: get('name') || say`Unknown`,
            email: get('email'),
            phone: get('phone', 40),
            person_id: null,
          },
        }
      },
      keyOf: ({ number }) => number,
      async write({ number, location, ...request }) {
        if (existing.has(number)) return 'unchanged'
        if (!years.has(request.year)) await changes.keep('request_number', 'year', [request.year])
        years.add(request.year)
        batch.push({ ...request, oldNumber: number, location: await location(tx, company) })
        return 'created'
      },
      async flush() {
        made.push(...(await importRequests(tx, call, batch.splice(0))))
      },
      async end() {
        // The ids begin with the year of the request, so they are not greater than all earlier ids.
        await changes.note('service_request', 'id', made)
        await changes.note('status_history', 'subject_id', made, { machine: requestStates.name })
        await changes.note('request_number', 'year', [...years])
        await recountRequests(tx, company)
      },
    }
  },
})

whenUndone('requests', (tx, call) => recountRequests(tx, call.company.id))
