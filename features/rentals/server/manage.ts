import { type Insertable, sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { UndoRules } from '../../../server/imported-rows.ts'
import { implementList } from '../../../server/list.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import {
  addBlackout,
  addResource,
  addSpace,
  removeBlackout,
  type ResourceForm,
  saveResource,
  showResource,
} from '../contract.ts'
import { resources as list } from '../list.ts'
import { seasonText } from '../rules-hours.ts'
import { findResource, lockResourceTimes, lockResource, type Resource, spacesOf } from './resources.ts'
import { offerAndNotify } from './reservations.ts'
import { removeQuestions, agreementQuestionsOf } from './questions.ts'

const LAST_YEAR = sql`v.company_id = r.company_id AND v.resource_id = r.id AND v.starts_at > now() - interval '1 year' AND v.starts_at <= now()`
const USED = sql`v.status IN ('confirmed', 'in_use', 'completed', 'no_show')`
const yearOf = (what: string) =>
  sql`(SELECT coalesce(${sql.raw(what)}, 0)::bigint FROM rental_reservation v WHERE ${LAST_YEAR} AND ${USED})`

export const resourceLists = implementList(list, {
  table: sql`rental_resource`,
  columns: {
    name: 'name',
    kind: 'kind',
    status: 'status',
    residentCents: 'resident_cents',
    otherCents: 'other_cents',
    used: yearOf('count(*)'),
    hours: yearOf('round(sum(extract(epoch FROM v.ends_at - v.starts_at)) / 3600)'),
    income: yearOf('sum(v.price_cents + v.withheld_cents)'),
    missed: yearOf(`count(*) FILTER (WHERE v.status = 'no_show')`),
    chargedBy: 'charged_by',
  },
  filters: { kind: (kind) => sql`r.kind = ${kind}` },
  unindexed: { kind: 'A municipality has only a few dozen resources.' },
  row: (_row, { session }) => {
    const copy = may(session?.privileges ?? {}, 'rentals', 'create')
    return { can: { view: true, copy, exportJson: copy, importJson: copy } }
  },
})

/** Database column for each form field. */
const COLUMNS = {
  name: 'name',
  kind: 'kind',
  status: 'status',
  description: 'description',
  location: 'location',
  resourceRules: 'house_rules',
  amenities: 'amenities',
  accessibility: 'accessibility',
  capacity: 'capacity',
  pieces: 'pieces',
  needsApproval: 'needs_approval',
  certificateFrom: 'certificate_from',
  hasQuestions: 'has_questions',
  seriesDates: 'series_dates',
  seriesApproval: 'series_approval',
  seasons: 'seasons',
  closedOnHolidays: 'closed_on_holidays',
  stepMinutes: 'step_minutes',
  minMinutes: 'min_minutes',
  maxMinutes: 'max_minutes',
  noticeHours: 'notice_hours',
  aheadDays: 'ahead_days',
  beforeMinutes: 'before_minutes',
  afterMinutes: 'after_minutes',
  chargedBy: 'charged_by',
  residentCents: 'resident_cents',
  otherCents: 'other_cents',
  depositCents: 'security_deposit_cents',
  addons: 'addons',
  refundDays: 'refund_days',
  latePercent: 'late_percent',
  agreement: 'agreement',
  door: 'door',
  glAccount: 'gl_account',
} as const satisfies Record<keyof ResourceForm, keyof Resource>
const fields = Object.keys(COLUMNS) as (keyof ResourceForm)[]

type ResourceColumns = Omit<Insertable<Schema['rental_resource']>, 'company_id' | 'created_at'>
const rowOf = (form: ResourceForm): ResourceColumns => {
  const columns = Object.fromEntries(fields.map((field) => [COLUMNS[field], form[field]]))
  const jsonColumns = { seasons: JSON.stringify(form.seasons), addons: JSON.stringify(form.addons) }
  return { ...(columns as unknown as ResourceColumns), ...jsonColumns }
}

export const formOf = (row: Resource): ResourceForm =>
  Object.fromEntries(fields.map((field) => [field, row[COLUMNS[field]]])) as unknown as ResourceForm

const showCall = implement(showResource, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const row = await findResource(tx, company.id, body.resourceId)
    const spaces = await spacesOf(tx, company.id, row.id)
    const blackouts = await tx
      .selectFrom('rental_blackout')
      .select(['id', 'from_on as from', 'until_on as until', 'reason'])
      .where('company_id', '=', company.id)
      .where('resource_id', '=', row.id)
      .orderBy('from_on', 'desc')
      .limit(100)
      .execute()
    return {
      form: formOf(row),
      spaces: spaces.map(({ id, name, price_percent, parent_id }) => ({
        ...{ id, name, pricePercent: price_percent },
        partOf: spaces.find((space) => space.id === parent_id)?.name ?? '',
      })),
      blackouts,
      hasQuestions: (await agreementQuestionsOf(tx, company.id, row)) !== null,
      can: { edit: may(signedIn(call).privileges, 'rentals', 'update') },
    }
  }),
)

/** Rules of the undo of imported resources. */
export const resourceUndo: UndoRules = { tables: [{ table: 'rental_resource' }, { table: 'rental_space' }] }

/** Creates a resource. @returns its id */
export async function createResource(tx: Tx, call: Call, form: ResourceForm): Promise<number> {
  const { company, context } = call
  const { id } = await tx
    .insertInto('rental_resource')
    .values({ company_id: company.id, ...rowOf(form), created_at: context.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  // A new resource has one space for the whole resource. Staff add parts later.
  await tx.insertInto('rental_space').values({ company_id: company.id, resource_id: id }).execute()
  await call.audit(tx, {
    action: 'rental.resource_added',
    subject: { kind: 'rental_resource', id },
    detail: { name: form.name },
  })
  return id
}

const addCall = implement(addResource, (call) =>
  call.inCompany(async (tx) => {
    const { companyId: _named, ...form } = call.body
    const id = await createResource(tx, call, form)
    return { success: true as const, message: say`“${form.name}” was added.`, resourceId: id }
  }),
)

/** Labels and texts of the fields that several controls show. */
const listTexts: Partial<Record<keyof ResourceForm, { label: string; text: (form: ResourceForm) => string }>> = {
  seasons: { label: 'Opening hours', text: ({ seasons }) => seasons.map(seasonText).join('\n') },
  addons: {
    label: 'Add-ons',
    text: ({ addons }) => addons.map(({ name, cents }) => `${name} ${formatCents(cents)}`).join('\n'),
  },
  certificateFrom: {
    label: 'Certificate of insurance',
    text: ({ certificateFrom: from }) =>
      from === null
        ? say`Never required`
        : from === 0
          ? say`Always required`
          : say`Required from ${plural(from, 'one person', '# people')}`,
  },
  seriesDates: {
    label: 'Maximum dates per resident request',
    text: ({ seriesDates: dates }) => (dates === 0 ? say`Only the office reserves several dates` : String(dates)),
  },
}
function labelsOf(field: string, others: unknown, own: unknown) {
  const view = listTexts[field as keyof ResourceForm]
  if (!view) return {}
  const textOf = (value: unknown) => view.text({ [field]: value } as unknown as ResourceForm)
  return { label: translated(view.label), texts: { own: textOf(own), others: textOf(others) } }
}

const saveCall = implement(saveResource, (call) => {
  const { companyId: _named, resourceId, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const row = await lockResource(tx, company, resourceId)
    const before = formOf(row)
    const edit = editBy(tx, call, `rental_resource:${resourceId}`)
    const after = await mergeEdit<ResourceForm>(edit, { basis, own, now: { ...before }, labelsOf })
    if (!same(before, after)) {
      await changeRow(tx, 'rental_resource', company, resourceId, rowOf(after))
      await recordChanges(edit, { ...before }, { ...after })
      if (before.hasQuestions && !after.hasQuestions) await removeQuestions(tx, company, resourceId)
      await call.audit(tx, {
        action: 'rental.resource_saved',
        subject: { kind: 'rental_resource', id: resourceId },
        detail: { before, after },
      })
      // Offers times to the waitlist, because new hours or a shorter notice may allow them.
      await offerAndNotify(tx, call, resourceId)
    }
    return { success: true as const, message: say`“${after.name}” saved.` }
  })
})

export const MAX_SPACES = 20

const addSpaceCall = implement(addSpace, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await lockResource(tx, company.id, body.resourceId)
    await lockResourceTimes(tx, company.id, row.id)
    const spaces = await spacesOf(tx, company.id, row.id)
    const whole = spaces.find(({ parent_id }) => parent_id === null)
    if (!whole || spaces.length >= MAX_SPACES) throw rejected(say`A resource can have up to ${MAX_SPACES} spaces.`)
    if (spaces.some(({ name }) => name.toLowerCase() === body.name.toLowerCase()))
      throw rejected(say`A space with this name already exists.`, { name: say`A space with this name already exists.` })
    // Reservations of the whole space that already exist would not block a new part. Another renter could then reserve
    // that part for the same time.
    if (spaces.length === 1 && (await isReserved(whole.id))) {
      const message = say`This resource has upcoming reservations. Add spaces after they end.`
      throw rejected(message, { name: message })
    }
    await tx
      .insertInto('rental_space')
      .values({
        ...{ company_id: company.id, resource_id: row.id, parent_id: whole.id },
        ...{ name: body.name, price_percent: body.pricePercent },
      })
      .execute()
    if (whole.name === '') await changeRow(tx, 'rental_space', company.id, whole.id, { name: say`Entire resource` })
    await call.audit(tx, {
      action: 'rental.space_added',
      subject: { kind: 'rental_resource', id: row.id },
      detail: { name: body.name },
    })
    return { success: true as const, message: say`“${body.name}” can now be reserved separately.` }

    async function isReserved(space: number): Promise<boolean> {
      const { rows } = await sql`
        SELECT FROM rental_occupancy WHERE company_id = ${company.id} AND space_id = ${space}
          AND buffer_until > ${call.context.clock.now()} LIMIT 1`.execute(tx)
      return rows.length > 0
    }
  }),
)

const addBlackoutCall = implement(addBlackout, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await lockResource(tx, company.id, body.resourceId)
    await tx
      .insertInto('rental_blackout')
      .values({
        ...{ company_id: company.id, resource_id: row.id },
        ...{ from_on: body.from, until_on: body.until, reason: body.reason },
      })
      .execute()
    await call.audit(tx, {
      action: 'rental.closed_for_days',
      subject: { kind: 'rental_resource', id: row.id },
      detail: { name: row.name, from: body.from, until: body.until, reason: body.reason },
    })
    return { success: true as const, message: say`The closure for “${row.name}” was added.` }
  }),
)

const removeBlackoutCall = implement(removeBlackout, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const gone = await tx
      .deleteFrom('rental_blackout')
      .where('company_id', '=', company.id)
      .where('id', '=', body.blackoutId)
      .returningAll()
      .executeTakeFirst()
    if (!gone) throw notFound('This closure was already removed.')
    await call.audit(tx, {
      action: 'rental.opened_again',
      subject: { kind: 'rental_resource', id: gone.resource_id },
      detail: { from: gone.from_on, until: gone.until_on, reason: gone.reason },
    })
    await offerAndNotify(tx, call, gone.resource_id)
    return { success: true as const, message: say`The closure was removed. Renters can reserve these days again.` }
  }),
)

export const manageCalls = [showCall, addCall, saveCall, addSpaceCall, addBlackoutCall, removeBlackoutCall]
