import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Edit } from '../../../server/edits.ts'
import { conflict, notFound, Refusal, rejected } from '../../../server/errors.ts'
import { latestVersion } from '../../../server/fields/sets.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineStateStore } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { refuseModuleOff } from '../../../server/modules.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/messages.ts'
import type { TypeForm } from '../rules.ts'
import { type PaymentTypeState, paymentTypeStates } from '../states.ts'

/** A payment type as stored in the database. Unset dates are empty strings. */
export interface PaymentType extends TypeForm {
  id: number
  status: PaymentTypeState
  slug: string
  linkCode: string
  fieldSet: number
  latestVersion: number
}

/** Columns of a payment type. The query must use `t` as the alias of `payment_type`. */
export const typeColumns = sql`
  t.id, t.status, t.slug, t.link_code AS "linkCode", t.field_set_id AS "fieldSet", t.title, t.category, t.description,
  t.gl_account AS "glAccount", t.seen_by AS "seenBy", t.amount_kind AS "amountKind", t.amount_cents AS "amountCents",
  t.min_cents AS "minCents", t.max_cents AS "maxCents", t.in_parts = 1 AS "inParts", coalesce(t.due_date::text, '') AS "dueDate",
  coalesce(t.opens_on::text, '') AS "opensOn", coalesce(t.closes_on::text, '') AS "closesOn", t.number_label AS "numberLabel",
  t.item_label AS "itemLabel", t.proof,
  (SELECT f.latest_version FROM field_set f WHERE f.company_id = t.company_id AND f.id = t.field_set_id) AS "latestVersion"`

export const unknownType = () => notFound('This payment was not found.')

/** @param lock true for a change, so that concurrent changes wait */
export async function readType(tx: Tx, company: CompanyId, id: number, lock = false): Promise<PaymentType> {
  const { rows } = await sql<PaymentType>`
    SELECT ${typeColumns} FROM payment_type t WHERE t.company_id = ${company} AND t.id = ${id}
    ${lock ? sql`FOR UPDATE` : sql``}`.execute(tx)
  if (!rows[0]) throw unknownType()
  return rows[0]
}

/** Returns the settings that staff edit. */
export const formOf = (type: PaymentType): TypeForm => {
  const {
    id: _id,
    status: _status,
    slug: _slug,
    linkCode: _code,
    fieldSet: _set,
    latestVersion: _version,
    ...form
  } = type
  return form
}

/** Returns the path of the payment page. The path of a link-only type contains a code that can't be guessed. */
export const pathOf = ({ seenBy, slug, linkCode }: Pick<PaymentType, 'seenBy' | 'slug' | 'linkCode'>): string =>
  `/pay/${seenBy === 'link' ? `${slug}-${linkCode}` : slug}`

const emptyDefinition: Definition = { steps: [] }

/** Returns the published fields. Empty if no fields were ever published. */
export async function publishedFields(
  scope: Pick<Edit, 'tx'> & { company: CompanyId },
  { fieldSet, latestVersion: version }: Pick<PaymentType, 'fieldSet' | 'latestVersion'>,
): Promise<{ version: number; definition: Definition }> {
  return version === 0 ? { version: 0, definition: emptyDefinition } : latestVersion(scope, fieldSet)
}

/**
 * Finds the type of a payment page, if the person may pay it now.
 * @param isSignedIn true for a signed-in resident
 */
export async function findOffered(
  tx: Tx,
  company: Company,
  slug: string,
  { now, isSignedIn }: { now: Date; isSignedIn: boolean },
): Promise<PaymentType> {
  const { rows } = await sql<PaymentType>`
    SELECT ${typeColumns} FROM payment_type t
    WHERE t.company_id = ${company.id} AND (t.slug = ${slug} AND t.seen_by <> 'link' OR t.seen_by = 'link'
      AND t.slug || '-' || t.link_code = ${slug}) AND t.status <> 'draft'`.execute(tx)
  const [type] = rows
  if (!type) throw notFound('We could not find a payment at this web address. Check the address for typos.')
  // Notices of an amount due can still be paid while the module is off.
  if (type.amountKind !== 'listed') refuseModuleOff(company, 'bills')
  if (type.seenBy === 'signed_in' && !isSignedIn)
    throw new Refusal(403, 'sign_in_first', say`Sign in to pay “${type.title}”.`)
  refuseClosed(type, dateIn(company.timeZone, now))
  return type
}

/** @throws 409 if the payment type can't be paid on this day */
export function refuseClosed(
  { title, status, opensOn, closesOn }: Pick<PaymentType, 'title' | 'status' | 'opensOn' | 'closesOn'>,
  today: string,
): void {
  if (status === 'open' && opensOn !== '' && today < opensOn)
    throw conflict('not_open', say`You can pay “${title}” starting ${formatDate(opensOn)}.`)
  if (status !== 'open' || (closesOn !== '' && today > closesOn))
    throw conflict('closed', say`“${title}” is closed and cannot be paid. Nothing was charged.`)
}

export const paymentTypeStateStore = defineStateStore({
  machine: paymentTypeStates,
  subject: 'payment_type',
  lock: async (tx, scope, id) => {
    const type = await readType(tx, scope as CompanyId, id, true)
    return { id, state: type.status, name: type.title, details: { title: type.title }, type }
  },
  write: async (tx, { scope, locked, to, at, event }) => {
    if (event === 'open') refuseUnready(locked.type)
    await changeRow(tx, 'payment_type', scope, locked.id, { status: to, changed_at: at })
  },
})

/** Refuses to open a payment type if its amount depends on fields that are not published. */
function refuseUnready({ title, amountKind, latestVersion: version }: PaymentType): void {
  if (amountKind === 'computed' && version === 0)
    throw rejected(say`The fields for “${title}” determine its amount. Publish the fields first.`)
}
