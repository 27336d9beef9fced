import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { eachApart } from '../../../server/each-apart.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import { type AccessCodes, accessCodesOf } from './access-codes.ts'
import { findReservation, type Reservation } from './reservations.ts'

export type Access = Selectable<Schema['rental_access']>

const BATCH_SIZE = 200
const MINUTE = 60_000
const MAX_WAIT_MINUTES = 60
/** From so long before it begins on, a code is shown and mailed: whoever cancels earlier never had it. */
const SHOWN_HOURS = 24
const shownFrom = (now: Date) => new Date(now.getTime() + SHOWN_HOURS * 60 * MINUTE)

/** What a code is asked for and ended under. */
const keyOf = ({ company_id, id }: Pick<Access, 'company_id' | 'id'>): string => `${company_id}-${id}`

interface CodeNoticeData {
  row: Reservation
  code: string
  from: Date
  until: Date
  timeZone: string
}

/** Required: whoever stands before the door needs it. */
const codeNotice = defineNotice<CodeNoticeData>({
  event: 'rental.access_code',
  required: true,
  why: ({ name }) => say`You get this mail because you reserved something from ${name}.`,
  words: ({ row, code, from, until, timeZone }, at) => ({
    subject: say`${row.number}: your code for the door`,
    paragraphs: [
      say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`,
      say`The code is ${code}. It opens from ${formatInstant(from, timeZone)} until ${formatInstant(until, timeZone)}.`,
      say`Give it to nobody who does not need it.`,
      { label: say`See the reservation`, url: at.url(`/resource-rentals/reservation/${row.id}`) },
    ],
  }),
})

/**
 * Brings the codes of doors to what the reservations say by now: each that is confirmed and to come has one for its time with
 * the buffers, and none other is left. It reads what is to be done from the rows alone, so it may die anywhere.
 */
export async function bringCodes(context: AppContext): Promise<void> {
  const locks = accessCodesOf(context)
  if (!locks) return
  await planCodes(context)
  await endCodes(context, locks)
  await askForCodes(context, locks)
  await tellCodes(context)
}

/** With which door and time a reservation should have a code: none before the agreement that it asks for is signed. */
const wanted = sql`
  SELECT v.company_id, v.id AS reservation_id, s.door, v.starts_at - s.before_minutes * interval '1 minute' AS from_at,
    v.ends_at + s.after_minutes * interval '1 minute' AS until_at
  FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
  WHERE v.status IN ('confirmed', 'in_use') AND s.door <> ''
    AND (v.field_set_id IS NULL OR v.agreement_id IS NOT NULL)`

/** Ends what no reservation has any more, then wants what is missing: in this order, as a reservation has one at most. */
async function planCodes(context: AppContext): Promise<void> {
  const now = context.clock.now()
  await context.acrossCompanies((tx) =>
    sql`
      UPDATE rental_access a SET status = 'ending', try_at = ${now}
      WHERE a.status IN ('wanted', 'granted') AND a.until_at > ${now} AND NOT EXISTS (
        SELECT FROM (${wanted}) w WHERE w.company_id = a.company_id AND w.reservation_id = a.reservation_id
          AND w.door = a.door AND w.from_at = a.from_at AND w.until_at = a.until_at)`.execute(tx),
  )
  await context.acrossCompanies((tx) =>
    sql`
      UPDATE rental_access SET status = 'ended', code_sealed = NULL
      WHERE status IN ('wanted', 'granted') AND until_at <= ${now}`.execute(tx),
  )
  await context.acrossCompanies((tx) =>
    sql`
      INSERT INTO rental_access (company_id, reservation_id, door, from_at, until_at, status, try_at, created_at)
      SELECT w.company_id, w.reservation_id, w.door, w.from_at, w.until_at, 'wanted', ${now}, ${now} FROM (${wanted}) w
      WHERE w.until_at > ${now} AND NOT EXISTS (
        SELECT FROM rental_access a WHERE a.company_id = w.company_id AND a.reservation_id = w.reservation_id
          AND a.status IN ('wanted', 'granted'))
      LIMIT ${BATCH_SIZE}
      ON CONFLICT DO NOTHING`.execute(tx),
  )
}

const toDo = (context: AppContext, status: 'wanted' | 'ending'): Promise<Access[]> =>
  context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_access')
      .selectAll()
      .where('status', '=', status)
      .where('try_at', '<=', context.clock.now())
      .orderBy('try_at')
      .limit(BATCH_SIZE)
      .execute(),
  )

/** Waits longer each time, up to an hour. */
function failed(context: AppContext, row: Access, error: unknown) {
  const wait = Math.min(2 ** row.tries, MAX_WAIT_MINUTES)
  context.log.warn(
    { err: error, reservation: row.reservation_id },
    'a code of a door could not be brought to what it should be',
  )
  return {
    tries: row.tries + 1,
    try_at: new Date(context.clock.now().getTime() + wait * MINUTE),
    last_error: error instanceof Error ? error.message.slice(0, 200) : '',
  }
}

async function lockAccess(tx: Tx, company: CompanyId, id: number): Promise<Access> {
  return tx
    .selectFrom('rental_access')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Whoever makes codes is asked while no transaction is open; what it answered is written down under the row's lock. */
async function askForCodes(context: AppContext, locks: AccessCodes): Promise<void> {
  for (const row of await toDo(context, 'wanted')) {
    const company = companyIdFrom('job', row.company_id)
    const { door, from_at: from, until_at: until } = row
    const { number } = await context.inCompany(company, (tx) => findReservation(tx, company, row.reservation_id))
    try {
      const { id, code } = await locks.grant(keyOf(row), { door, from, until, label: number })
      await context.inCompany(company, async (tx) => {
        // Whoever cancelled meanwhile has it ended by its key.
        if ((await lockAccess(tx, company, row.id)).status !== 'wanted') return
        const kept = { status: 'granted' as const, lock_id: id, code_sealed: context.secrets.seal(code) }
        await changeRow(tx, 'rental_access', company, row.id, { ...kept, tries: 0, last_error: '' })
      })
    } catch (error) {
      await context.inCompany(company, (tx) =>
        changeRow(tx, 'rental_access', company, row.id, failed(context, row, error)),
      )
    }
  }
}

async function endCodes(context: AppContext, locks: AccessCodes): Promise<void> {
  for (const row of await toDo(context, 'ending')) {
    const company = companyIdFrom('job', row.company_id)
    const end = await locks
      .revoke(keyOf(row))
      .then(() => ({ status: 'ended' as const, code_sealed: null, last_error: '' }))
      .catch((error: unknown) => failed(context, row, error))
    await context.inCompany(company, (tx) => changeRow(tx, 'rental_access', company, row.id, end))
  }
}

async function tellCodes(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const due = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_access')
      .select(['company_id', 'id'])
      .where('status', '=', 'granted')
      .where('told', '=', false)
      .where('from_at', '<=', shownFrom(now))
      .limit(BATCH_SIZE)
      .execute(),
  )
  await eachApart(context, due, async ({ company_id, id }) => {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!town) return
    await context.inCompany(town.id, async (tx) => {
      const access = await lockAccess(tx, town.id, id)
      if (access.told || access.status !== 'granted' || access.code_sealed === null) return
      await changeRow(tx, 'rental_access', town.id, id, { told: true })
      const row = await findReservation(tx, town.id, access.reservation_id)
      if (row.email === '') return
      const facts = {
        row,
        code: context.secrets.open(access.code_sealed),
        from: access.from_at,
        until: access.until_at,
      }
      await notify(tx, context, {
        ...{ at: town, to: row.email, notice: codeNotice, facts: { ...facts, timeZone: town.timeZone } },
        ...(row.person_id !== null && { person: row.person_id }),
      })
    })
  })
}

/** The code that a reservation has or waits for. */
export const accessOf = (tx: Tx, company: CompanyId, reservation: number): Promise<Access | undefined> =>
  tx
    .selectFrom('rental_access')
    .selectAll()
    .where('company_id', '=', company)
    .where('reservation_id', '=', reservation)
    .where('status', 'in', ['wanted', 'granted'])
    .executeTakeFirst()

/** Whether whoever has the reservation may see its code now. */
export const isShown = (access: Access, now: Date): boolean =>
  access.status === 'granted' && access.from_at <= shownFrom(now) && access.until_at > now

export function defineAccessJobs(context: AppContext): void {
  context.jobs.define('rentals.access', () => bringCodes(context), { cron: '* * * * *', retryLimit: 0 })
}
