import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type AccessCodes, accessCodesOf } from './access-codes.ts'
import { findReservation, type Reservation } from '../../rentals/api.ts'

export type Access = Selectable<Schema['rental_access']>

const BATCH_SIZE = 200
const MINUTE = 60_000
const MAX_WAIT_MINUTES = 60
/**
 * Hours before the start at which the portal shows and emails a code. A renter who cancels before that never sees the
 * code.
 */
const VISIBLE_HOURS = 24
const visibleLimit = (now: Date) => new Date(now.getTime() + VISIBLE_HOURS * 60 * MINUTE)

/** Returns the key that identifies a code when it is created and revoked. */
const keyOf = ({ company_id, id }: Pick<Access, 'company_id' | 'id'>): string => `${company_id}-${id}`

interface CodeNoticeData {
  row: Reservation
  code: string
  from: Date
  until: Date
  timeZone: string
}

/** Notice with the door code. Renters cannot turn it off, because they need the code at the door. */
const codeNotice = defineNotice<CodeNoticeData>({
  event: 'rental.access_code',
  required: true,
  why: ({ name }) => say`You are receiving this email because you made a reservation with ${name}.`,
  content: ({ row, code, from, until, timeZone }, at) => ({
    subject: say`Reservation ${row.number}: your door code`,
    paragraphs: [
      say`${row.title}, ${formatInstant(row.starts_at, timeZone)}`,
      say`Your door code is ${code}. It is valid from ${formatInstant(from, timeZone)} until ${formatInstant(until, timeZone)}.`,
      say`Share the code only with people who need it.`,
      { label: say`View reservation`, url: at.url(`/resource-rentals/reservation/${row.id}`) },
    ],
  }),
})

/**
 * Makes the door codes match the reservations. Each confirmed reservation gets one code for its time, including setup
 * and cleanup. The job revokes all other codes. It relies only on stored rows, so that it can resume after a crash.
 */
export async function syncAccessCodes(context: AppContext): Promise<void> {
  const locks = accessCodesOf(context)
  if (!locks) return
  await planCodes(context)
  await endCodes(context, locks)
  await requestCodes(context, locks)
  await notifyCodes(context)
}

/**
 * SQL for the door and time of each reservation that needs a code. A reservation with an unsigned agreement does not
 * count.
 */
const neededAccess = sql`
  SELECT v.company_id, v.id AS reservation_id, s.door, v.starts_at - s.before_minutes * interval '1 minute' AS from_at,
    v.ends_at + s.after_minutes * interval '1 minute' AS until_at
  FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
  WHERE v.status IN ('confirmed', 'in_use') AND s.door <> ''
    AND (v.field_set_id IS NULL OR v.agreement_id IS NOT NULL)`

/**
 * Ends codes that no longer match a reservation, and then plans missing codes. The order matters, because a reservation
 * can have only one code.
 */
async function planCodes(context: AppContext): Promise<void> {
  const now = context.clock.now()
  await context.acrossCompanies((tx) =>
    sql`
      UPDATE rental_access a SET status = 'ending', try_at = ${now}
      WHERE a.status IN ('requested', 'granted') AND a.until_at > ${now} AND NOT EXISTS (
        SELECT FROM (${neededAccess}) w WHERE w.company_id = a.company_id AND w.reservation_id = a.reservation_id
          AND w.door = a.door AND w.from_at = a.from_at AND w.until_at = a.until_at)`.execute(tx),
  )
  await context.acrossCompanies((tx) =>
    sql`
      UPDATE rental_access SET status = 'ended', code_sealed = NULL
      WHERE status IN ('requested', 'granted') AND until_at <= ${now}`.execute(tx),
  )
  await context.acrossCompanies((tx) =>
    sql`
      INSERT INTO rental_access (company_id, reservation_id, door, from_at, until_at, status, try_at, created_at)
      SELECT w.company_id, w.reservation_id, w.door, w.from_at, w.until_at, 'requested', ${now}, ${now} FROM (${neededAccess}) w
      WHERE w.until_at > ${now} AND NOT EXISTS (
        SELECT FROM rental_access a WHERE a.company_id = w.company_id AND a.reservation_id = w.reservation_id
          AND a.status IN ('requested', 'granted'))
      LIMIT ${BATCH_SIZE}
      ON CONFLICT DO NOTHING`.execute(tx),
  )
}

const toDo = (context: AppContext, status: 'requested' | 'ending'): Promise<Access[]> =>
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

/** Calculates the time of the next retry. The wait grows with each failure, up to one hour. */
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

/** Calls the code service outside any transaction. Then locks the row and saves the result. */
async function requestCodes(context: AppContext, locks: AccessCodes): Promise<void> {
  for (const row of await toDo(context, 'requested')) {
    const company = companyIdFrom('job', row.company_id)
    const { door, from_at: from, until_at: until } = row
    const { number } = await context.inCompany(company, (tx) => findReservation(tx, company, row.reservation_id))
    try {
      const { id, code } = await locks.grant(keyOf(row), { door, from, until, label: number })
      await context.inCompany(company, async (tx) => {
        // If the reservation was cancelled during the call, another step revokes the code by its key.
        if ((await lockAccess(tx, company, row.id)).status !== 'requested') return
        const grantedPatch = { status: 'granted' as const, lock_id: id, code_sealed: context.secrets.seal(code) }
        await changeRow(tx, 'rental_access', company, row.id, { ...grantedPatch, tries: 0, last_error: '' })
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

async function notifyCodes(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const due = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('rental_access')
      .select(['company_id', 'id'])
      .where('status', '=', 'granted')
      .where('is_notified', '=', false)
      .where('from_at', '<=', visibleLimit(now))
      .limit(BATCH_SIZE)
      .execute(),
  )
  await eachSeparately(context, due, async ({ company_id, id }) => {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!companyRecord) return
    await context.inCompany(companyRecord.id, async (tx) => {
      const access = await lockAccess(tx, companyRecord.id, id)
      if (access.is_notified || access.status !== 'granted' || access.code_sealed === null) return
      await changeRow(tx, 'rental_access', companyRecord.id, id, { is_notified: true })
      const row = await findReservation(tx, companyRecord.id, access.reservation_id)
      if (row.email === '') return
      const noticeData = {
        row,
        code: context.secrets.open(access.code_sealed),
        from: access.from_at,
        until: access.until_at,
      }
      await notify(tx, context, {
        ...{
          at: companyRecord,
          to: row.email,
          notice: codeNotice,
          data: { ...noticeData, timeZone: companyRecord.timeZone },
        },
        ...(row.person_id !== null && { person: row.person_id }),
      })
    })
  })
}

/** Finds the existing or planned code of a reservation. */
export const accessOf = (tx: Tx, company: CompanyId, reservation: number): Promise<Access | undefined> =>
  tx
    .selectFrom('rental_access')
    .selectAll()
    .where('company_id', '=', company)
    .where('reservation_id', '=', reservation)
    .where('status', 'in', ['requested', 'granted'])
    .executeTakeFirst()

/** Returns true if the renter may see the code now. */
export const isVisible = (access: Access, now: Date): boolean =>
  access.status === 'granted' && access.from_at <= visibleLimit(now) && access.until_at > now

export function defineAccessJobs(context: AppContext): void {
  context.jobs.define('rentals.access', () => syncAccessCodes(context), { cron: '* * * * *', retryLimit: 0 })
}
