import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { formatDate } from '../../../shared/dates.ts'
import { say, translated } from '../../../shared/messages.ts'
import { idIn, submissionStatus } from '../rules.ts'
import { submissionStates, type SubmissionStatus } from '../states.ts'

const pathOf = (id: number) => `/municipality/reports/forms-and-docs?submission=${id}`

interface SubmissionMatch {
  id: number
  number: string
  title: string
  status: SubmissionStatus
  name: string
}

export const submissionLookup = defineLookup<SubmissionMatch>({
  kind: 'Submissions',
  area: 'submissions',
  table: sql`found_form_submission`,
  // Unsent drafts are visible only to their owner.
  where: sql`r.status <> ${sql.lit(submissionStatus.draft)} AND r.submitted_at IS NOT NULL`,
  number: (typed) => {
    const id = idIn(typed)
    return id === null ? null : sql`r.id = ${id}`
  },
  find: { name: sql`r.name || ' ' || r.title` },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    status: sql`r.status`,
    name: sql`r.name`,
  },
  show: ({ id, number, title, status, name }) => ({
    title: `${number} ${title}`,
    detail: [translated(submissionStates.labels[status]), name],
    path: pathOf(id),
  }),
})

interface PermitMatch {
  id: number
  number: string
  title: string
  holder: string
  expires: string | null
}

export const permitLookup = defineLookup<PermitMatch>({
  kind: 'Licenses and permits',
  area: 'submissions',
  table: sql`(SELECT d.*, d.submission_id AS id FROM found_issued_document d)`,
  number: (typed) => sql`r.number = ${typed.toUpperCase()}`,
  find: { name: sql`r.holder || ' ' || r.title` },
  columns: {
    id: sql`r.id`,
    number: sql`r.number`,
    title: sql`r.title`,
    holder: sql`r.holder`,
    expires: sql`r.expires_on`,
  },
  show: ({ id, number, title, holder, expires }) => ({
    title: `${number} ${title}`,
    detail: [holder, expires === null ? '' : say`expires ${formatDate(expires)}`],
    path: pathOf(id),
  }),
})
