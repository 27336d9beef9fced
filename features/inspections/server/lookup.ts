import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { formatDate } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { inspectionStates, type InspectionStatus } from '../states.ts'

interface InspectionMatch {
  id: number
  number: string
  title: string
  subject: string
  location: string
  status: InspectionStatus
  due: string
}

export const inspectionLookup = defineLookup<InspectionMatch>({
  kind: 'Inspections',
  area: 'inspections',
  table: sql`found_inspection`,
  number: (typed) => sql`r.number = ${typed.toUpperCase()}`,
  find: {
    name: sql`r.title || ' ' || r.subject_name`,
    address: sql`r.location`,
  },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    subject: sql`r.subject_name`,
    location: sql`r.location`,
    status: sql`r.status`,
    due: sql`r.due_on`,
  },
  show: ({ id, number, title, subject, location, status, due }) => ({
    title: `${number} ${title}`,
    detail: [translated(inspectionStates.labels[status]), subject, say`due ${formatDate(due)}`, location],
    path: `${INSPECTIONS_PATH}?inspection=${id}`,
  }),
})
