import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { csvText } from '../../../server/csv.ts'
import { notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { showForm } from '../contract.ts'
import { forms } from '../list.ts'
import { formStates, type FormStatus } from '../states.ts'

export const statusOf = ({ is_active }: { is_active: 0 | 1 }): FormStatus => (is_active === 1 ? 'active' : 'inactive')

const isAssignedTo = (company: number) =>
  sql`EXISTS (SELECT FROM form_template_assignment h WHERE h.company_id = ${company} AND h.template_id = r.id)`

const nameOf = (person: string) =>
  sql<string>`coalesce(trim(${sql.ref(person)}.first_name || ' ' || ${sql.ref(person)}.last_name), 'Mainstreet')`

/** Joins the current file, the last editor and the number of companies. */
const beside = sql`
  JOIN form_template_version v ON v.template_id = r.id AND v.version = r.current_version
  LEFT JOIN platform_person changer ON changer.id = r.changed_by
  CROSS JOIN LATERAL (SELECT count(*)::int AS "assignedCount" FROM form_template_assignment a WHERE a.template_id = r.id) n`

export const formLists = implementList(forms, {
  table: sql`form_template`,
  joins: ({ question: { filters } }) => sql`${beside}
    CROSS JOIN LATERAL (SELECT ${filters.company === undefined ? sql`NULL::boolean` : isAssignedTo(filters.company)} AS assigned) held`,
  columns: {
    templateId: 'id',
    title: 'title',
    category: 'category',
    description: 'description',
    version: 'current_version',
    contentType: sql`v.content_type`,
    fileName: sql`v.original_name`,
    bytes: sql`v.bytes`,
    assignedCount: sql`n."assignedCount"`,
    assigned: sql`held.assigned`,
    changedAt: 'changed_at',
    changedBy: nameOf('changer'),
    status: sql`CASE r.is_active WHEN 1 THEN 'active' ELSE 'inactive' END`,
  },
  sorts: { title: 'title_key', status: 'is_active' },
  csv: {
    description: csvText(sql`r.description`),
    fileName: csvText(sql`v.original_name`),
    assigned: sql`CASE WHEN held.assigned THEN 'Yes' WHEN NOT held.assigned THEN 'No' END`,
  },
  filters: {
    status: (status) => sql`r.is_active = ${status === 'active' ? 1 : 0}`,
    company: () => sql`true`,
    has: (has, { question: { filters } }) =>
      filters.company === undefined
        ? sql`true`
        : sql`${has === 'yes' ? sql`` : sql`NOT`} ${isAssignedTo(filters.company)}`,
  },
  search: sql`r.search_text`,
  countAlong: sql`r.title_key, r.id`,
  expect: async (tx, { question: { filters } }) => {
    if (filters.company === undefined) return
    const company = await tx.selectFrom('company').select('id').where('id', '=', filters.company).executeTakeFirst()
    if (!company) throw notFound('This company does not exist.')
  },
  hidden: { isAssigned: sql`(r.first_assigned_at IS NOT NULL)` },
  row: ({ status, assigned }, call, { isAssigned }) => ({
    can: stepsOf({ status, assigned, isAssigned: isAssigned === true }, signedIn(call).privileges),
  }),
  exported: 'export.forms',
})

interface TemplateStatus {
  status: FormStatus
  assigned: boolean
  isAssigned: boolean
}

function stepsOf({ status, assigned, isAssigned }: TemplateStatus, privileges: Privileges) {
  const mayUpdate = may(privileges, 'manage_others_forms', 'update')
  return {
    view: true,
    download: true,
    edit: mayUpdate,
    // An inactive form can't be assigned, but it can still be removed from a company.
    assign: mayUpdate && status === 'active' && !assigned,
    unassign: mayUpdate && assigned,
    ...buttonsFrom(formStates, status, { as: 'staff', privileges }),
    remove: may(privileges, 'manage_others_forms', 'delete') && !isAssigned,
  }
}

interface TemplateRow {
  id: number
  title: string
  description: string
  category: string
  is_active: 0 | 1
  version: number
  fileName: string
  contentType: string
  bytes: number
  assignedCount: number
  changedAt: Date
  changedBy: string
  createdAt: Date
  createdBy: string
  isAssigned: boolean
  companies: number
  definition: Definition | null
  source: string
}

export const showFormCall = implement(showForm, async (call) => {
  const { privileges } = signedIn(call)
  const { templateId } = call.body
  return call.context.acrossCompanies(async (tx) => {
    const { rows } = await sql<TemplateRow>`
      SELECT r.id, r.title, r.description, r.category, r.is_active, r.current_version AS version, v.original_name AS "fileName",
        v.content_type AS "contentType", v.bytes, n."assignedCount", r.changed_at AS "changedAt", ${nameOf('changer')} AS "changedBy",
        r.created_at AS "createdAt", ${nameOf('made')} AS "createdBy", r.first_assigned_at IS NOT NULL AS "isAssigned",
        (SELECT count(*)::int FROM company) AS companies, c.definition, coalesce(c.source, '') AS source
      FROM form_template r ${beside} LEFT JOIN platform_person made ON made.id = r.created_by
      LEFT JOIN form_template_content c ON c.template_id = r.id AND c.version = r.current_version WHERE r.id = ${templateId}`.execute(
      tx,
    )
    const [template] = rows
    if (!template) throw unknownForm()
    const { is_active, changedAt, createdAt, createdBy, isAssigned, companies, definition, ...form } = template
    const status = statusOf({ is_active })
    const versions = await tx
      .selectFrom('form_template_version as v')
      .leftJoin('platform_person as p', 'p.id', 'v.uploaded_by')
      .select(['v.version', 'v.original_name as fileName', 'v.content_type as contentType', 'v.bytes', 'v.uploaded_at'])
      .select(nameOf('p').as('uploadedBy'))
      .where('v.template_id', '=', templateId)
      .orderBy('v.version', 'desc')
      .execute()
    return {
      form: {
        ...form,
        status,
        questions: definition ? allFields(definition).length : 0,
        changedAt: changedAt.toISOString(),
        can: stepsOf({ status, assigned: false, isAssigned }, privileges),
      },
      companies,
      createdAt: createdAt.toISOString(),
      createdBy,
      versions: versions.map(({ uploaded_at, ...version }) => ({ ...version, uploadedAt: uploaded_at.toISOString() })),
    }
  })
})

export const unknownForm = () => notFound('This form was not found in the library.')
