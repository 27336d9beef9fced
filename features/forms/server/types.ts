import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { latestVersion as readLatest } from '../../../server/fields/sets.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineStateStore } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatDate } from '../../../shared/dates.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { chargeable } from '../../../shared/fields/walk.ts'
import { say } from '../../../shared/messages.ts'
import type { TypeForm } from '../rules.ts'
import { type FormTypeState, formTypeStates } from '../states.ts'

/** A form as stored in the database. Unset dates are empty strings. */
export interface FormType extends TypeForm {
  id: number
  status: FormTypeState
  slug: string
  fieldSet: number
  latestVersion: number
}

/** Columns of a form, selected from the table alias `t`. */
export const typeColumns = sql`
  t.id, t.status, t.slug, t.field_set_id AS "fieldSet", t.title, t.category, t.description, t.seen_by AS "seenBy",
  coalesce(t.opens_on::text, '') AS "opensOn", coalesce(t.closes_on::text, '') AS "closesOn", t.max_each AS "maxEach",
  t.each_days AS "eachDays", t.limit_fields AS "limitFields", t.max_same AS "maxSame", t.department_id AS "departmentId",
  t.reviewer_id AS "reviewerId", t.fee_kind AS "feeKind", t.fee_cents AS "feeCents", t.gl_account AS "glAccount",
  t.is_cosigned = 1 AS cosigned, t.issues, t.valid_months AS "validMonths", t.remind_days AS "remindDays",
  (SELECT f.latest_version FROM field_set f WHERE f.company_id = t.company_id AND f.id = t.field_set_id) AS "latestVersion"`

export const unknownForm = () => notFound('This form was not found.')

/** @param lock true for a change, so that concurrent changes wait */
export async function readType(tx: Tx, company: CompanyId, id: number, lock = false): Promise<FormType> {
  const { rows } = await sql<FormType>`
    SELECT ${typeColumns} FROM form_type t WHERE t.company_id = ${company} AND t.id = ${id}
    ${lock ? sql`FOR UPDATE` : sql``}`.execute(tx)
  if (!rows[0]) throw unknownForm()
  return rows[0]
}

/** Returns the settings that staff edit. */
export const formOf = (type: FormType): TypeForm => {
  const { id: _id, status: _status, slug: _slug, fieldSet: _set, latestVersion: _version, ...form } = type
  return form
}

export const pathOf = ({ slug }: Pick<FormType, 'slug'>): string => `/forms-documents/${slug}`

const emptyDefinition: Definition = { steps: [] }

/** Returns the published fields. Empty if no fields were ever published. */
export async function publishedFields(
  scope: { tx: Tx; company: CompanyId },
  { fieldSet, latestVersion }: Pick<FormType, 'fieldSet' | 'latestVersion'>,
): Promise<{ version: number; definition: Definition }> {
  return latestVersion === 0 ? { version: 0, definition: emptyDefinition } : readLatest(scope, fieldSet)
}

/** Finds the form with this slug, if a resident may fill it in on this day in the company's time zone. */
export async function findOffered(tx: Tx, company: Company, slug: string, today: string): Promise<FormType> {
  const { rows } = await sql<FormType>`
    SELECT ${typeColumns} FROM form_type t
    WHERE t.company_id = ${company.id} AND t.slug = ${slug} AND t.status <> 'draft' AND t.seen_by <> 'staff'`.execute(
    tx,
  )
  const [type] = rows
  if (!type) throw notFound('No form exists at this address. Check the address for typing mistakes.')
  refuseClosed(type, today)
  return type
}

/**
 * Refuses a form that is closed on this day.
 * @throws 409 if the form can't be started or sent on this day
 */
export function refuseClosed(
  { title, status, opensOn, closesOn }: Pick<FormType, 'title' | 'status' | 'opensOn' | 'closesOn'>,
  today: string,
): void {
  if (status === 'published' && opensOn !== '' && today < opensOn)
    throw conflict('not_open', say`You can fill out “${title}” starting ${formatDate(opensOn)}.`)
  if (status !== 'published' || (closesOn !== '' && today > closesOn))
    throw conflict('closed', say`“${title}” is closed. You can no longer submit it.`)
}

export const typeStateStore = defineStateStore({
  machine: formTypeStates,
  subject: 'form_type',
  lock: async (tx, scope, id) => {
    const type = await readType(tx, scope as CompanyId, id, true)
    return { id, state: type.status, name: type.title, details: { title: type.title }, type }
  },
  write: async (tx, { scope, locked, to, at, event }) => {
    if (event === 'publish') await refuseUnready(tx, scope as CompanyId, locked.type)
    await changeRow(tx, 'form_type', scope, locked.id, { status: to, changed_at: at })
  },
})

/** Refuses to publish a form without fields, or with a computed fee but no payment field. */
async function refuseUnready(tx: Tx, company: CompanyId, type: FormType): Promise<void> {
  const { title, latestVersion, feeKind } = type
  if (latestVersion === 0) throw rejected(say`“${title}” has no questions yet. Publish its fields first.`)
  const { definition } = await publishedFields({ tx, company }, type)
  if (feeKind === 'computed' && !chargeable(definition))
    throw rejected(say`“${title}” computes its fee from the answers, but it has no payment field. Add one first.`)
}
