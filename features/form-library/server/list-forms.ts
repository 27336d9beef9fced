import { type RawBuilder, sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { isInstant, isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { notFound } from '../../../server/errors.ts'
import { allOf, countUpTo, hasWords, walkOf } from '../../../server/list-sql.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { formsCsv, listForms, showForm } from '../contract.ts'
import { formStates, type FormStatus } from '../states.ts'

type Question = BodyOf<typeof listForms>

interface Found {
  id: number
  title: string
  description: string
  category: string
  is_active: 0 | 1
  current_version: number
  first_assigned_at: Date | null
  created_at: Date
  changed_at: Date
  created_by: string
  changed_by: string
  original_name: string
  content_type: string
  bytes: number
  towns: number
  assigned: boolean | null
  key: string
}

/** The column that a sort walks, with the index behind it; the id completes the order. */
const columns = { title: sql.ref('t.title_key'), changed: sql.ref('t.changed_at') } as const
const keys = {
  title: sql`title_key`,
  changed: sql`to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}

function conditionsOf({ search, filters }: Question): RawBuilder<unknown>[] {
  const { category, status, company, has } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (search) conditions.push(hasWords(sql`t.search_text`, search))
  if (category) conditions.push(sql`t.category = ${category}`)
  if (status) conditions.push(sql`t.is_active = ${status === 'active' ? 1 : 0}`)
  if (company !== undefined && has) conditions.push(sql`${has === 'yes' ? sql`` : sql`NOT`} ${heldBy(company)}`)
  return conditions
}

const heldBy = (company: number) =>
  sql`EXISTS (SELECT FROM form_template_assignment h WHERE h.company_id = ${company} AND h.template_id = t.id)`

const matching = (question: Question, more: readonly RawBuilder<unknown>[] = []) =>
  sql`SELECT t.* FROM form_template t WHERE ${allOf([...conditionsOf(question), ...more])}`

const nameOf = (person: string) =>
  sql`coalesce(trim(${sql.ref(person)}.first_name || ' ' || ${sql.ref(person)}.last_name), 'Mainstreet')`

/** What stands in a row, of those templates that were chosen. */
const rowsOf = (chosen: RawBuilder<unknown>, { sort, filters }: Pick<Question, 'sort' | 'filters'>) => sql<Found>`
  SELECT t.id, t.title, t.description, t.category, t.is_active, t.current_version, t.first_assigned_at, t.created_at, t.changed_at,
    ${nameOf('made')} AS created_by, ${nameOf('changer')} AS changed_by, v.original_name, v.content_type, v.bytes,
    (SELECT count(*)::int FROM form_template_assignment a WHERE a.template_id = t.id) AS towns,
    ${filters.company === undefined ? sql`NULL::boolean` : heldBy(filters.company)} AS assigned, ${keys[sort]} AS key
  FROM (${chosen}) t JOIN form_template_version v ON v.template_id = t.id AND v.version = t.current_version
  LEFT JOIN platform_person made ON made.id = t.created_by LEFT JOIN platform_person changer ON changer.id = t.changed_by`

export const listFormsCall = implement(listForms, async (call) => {
  const { house, body } = call
  const { privileges } = signedIn(call)
  return house.acrossCompanies(async (tx) => {
    if (body.filters.company !== undefined) await expectCompany(tx, body.filters.company)
    const page = await onePage(tx, body)
    return { ...page, rows: page.rows.map((row) => shown(row, privileges)), totals: null }
  })
})

async function expectCompany(tx: Tx, id: number): Promise<void> {
  const company = await tx.selectFrom('company').select('id').where('id', '=', id).executeTakeFirst()
  if (!company) throw notFound('There is no such company.')
}

async function onePage(tx: Tx, question: Question) {
  const { sort, direction, pageSize } = question
  const place = readCursor(question.cursor, sort === 'changed' ? isInstant : isText)
  const { way, beyond: than } = walkOf(direction, place)
  const [column, key] = [columns[sort], sort === 'changed' ? sql`${place?.key}::timestamptz` : sql`${place?.key}`]
  const beyond = place ? [sql`(${column}, t.id) ${than} (${key}, ${place.id})`] : []
  const order = sql`ORDER BY ${column} ${way}, t.id ${way}`
  const chosen = sql`${matching(question, beyond)} ${order} LIMIT ${pageSize + 1}`
  const { rows } = await sql<Found>`${rowsOf(chosen, question)} ${order}`.execute(tx)
  // In the order of an index, so that no more is read than is counted.
  const count = await countUpTo(tx, sql`${matching(question)} ORDER BY t.title_key, t.id`)
  return { ...pageOf(rows, place, pageSize, (row) => row.key), count }
}

export const statusOf = ({ is_active }: { is_active: 0 | 1 }): FormStatus => (is_active === 1 ? 'active' : 'inactive')

function shown(row: Found, privileges: Privileges) {
  const mayUpdate = may(privileges, 'manage_others_forms', 'update')
  const status = statusOf(row)
  return {
    ...{ id: row.id, title: row.title, description: row.description, category: row.category, status },
    ...{ version: row.current_version, fileName: row.original_name, contentType: row.content_type, bytes: row.bytes },
    ...{ towns: row.towns, changedAt: row.changed_at.toISOString(), changedBy: row.changed_by, assigned: row.assigned },
    can: {
      view: true,
      download: true,
      edit: mayUpdate,
      // Of a company that has it, it is taken; an inactive form is given to nobody.
      assign: mayUpdate && status === 'active' && row.assigned !== true,
      unassign: mayUpdate && row.assigned === true,
      ...buttonsFrom(formStates, status, { as: 'staff', privileges }),
      remove: may(privileges, 'manage_others_forms', 'delete') && row.first_assigned_at === null,
    },
  }
}

export const formsCsvCall = implement(formsCsv, async (call) => {
  const { house, body } = call
  await house.acrossCompanies((tx) =>
    auditPlatform(tx, house.clock, call, {
      action: 'export.forms',
      detail: { filters: body.filters, search: body.search },
    }),
  )
  const { way } = walkOf(body.direction)
  const held =
    body.filters.company === undefined ? sql`` : sql`CASE WHEN f.assigned THEN 'Yes' ELSE 'No' END AS "Assigned",`
  const question = sql`
    SELECT f.id AS "ID", ${csvText(sql`f.title`)} AS "Title", f.category AS "Category", ${csvText(sql`f.description`)} AS "Description",
      f.current_version AS "Version", ${csvText(sql`f.original_name`)} AS "File", f.bytes AS "Bytes", f.towns AS "Companies", ${held}
      to_char(f.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS "Changed (UTC)", ${csvText(sql`f.changed_by`)} AS "Changed by",
      ${csvLabels(sql`CASE f.is_active WHEN 1 THEN 'active' ELSE 'inactive' END`, formStates.labels)} AS "Status"
    FROM (${rowsOf(matching(body), body)}) f ORDER BY key ${way}, id ${way}`
  return csvOf(house, null, 'forms', question)
})

export const showFormCall = implement(showForm, async (call) => {
  const { privileges } = signedIn(call)
  const { templateId } = call.body
  return call.house.acrossCompanies(async (tx) => {
    const one = sql`SELECT * FROM form_template WHERE id = ${templateId}`
    const { rows } = await rowsOf(one, { sort: 'title', filters: {} }).execute(tx)
    const [form] = rows
    if (!form) throw unknownForm()
    const versions = await tx
      .selectFrom('form_template_version as v')
      .leftJoin('platform_person as p', 'p.id', 'v.uploaded_by')
      .select(['v.version', 'v.original_name', 'v.content_type', 'v.bytes', 'v.uploaded_at'])
      .select(sql<string>`${nameOf('p')}`.as('uploaded_by'))
      .where('v.template_id', '=', templateId)
      .orderBy('v.version', 'desc')
      .execute()
    return {
      form: shown(form, privileges),
      createdAt: form.created_at.toISOString(),
      createdBy: form.created_by,
      versions: versions.map((row) => ({
        ...{ version: row.version, fileName: row.original_name, contentType: row.content_type, bytes: row.bytes },
        ...{ uploadedAt: row.uploaded_at.toISOString(), uploadedBy: row.uploaded_by },
      })),
    }
  })
})

export const unknownForm = () => notFound('This form was not found in the library.')
