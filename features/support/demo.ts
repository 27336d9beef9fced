import { type Random, randomFrom } from '../../database/random.ts'
import { PLATFORM } from '../../server/audit.ts'
import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import { outsideCompanies, type Tx } from '../../server/tenancy.ts'
import { NEW } from '../../shared/machine.ts'
import { roles } from '../../shared/privileges.ts'
import { savedReplies, type DemoTicketScenario, ticketScenarios } from './demo-requests.ts'
import { supportCase } from './contract.ts'
import { requestStates, type Status } from './states.ts'

const HOUR = 3_600_000
const KIND = supportCase.kind
/** Age of the oldest requests, in days. */
const DAYS = 75

interface Worker {
  id: number
  name: string
}

interface DemoSupportContext {
  now: Date
  random: Random
  /** Current and former support staff. */
  workers: readonly Worker[]
  /** Department of the support staff. Some requests without an assignee belong to it. */
  department: { id: number; name: string }
}

/** Number of sample requests of each company. */
const shares: Readonly<Record<string, number>> = { maplegrove: 22, harborcity: 16, oldmill: 3 }

/** Adds support requests of the last 75 days for all companies, in every status, with and without assignees. */
async function addSupportRequests(tx: Tx, clock: Clock, random: Random): Promise<void> {
  const staff = await tx
    .selectFrom('platform_person')
    .select(['id', 'first_name', 'last_name', 'role_id', 'is_active'])
    .where('role_id', 'in', [roles.callCenter, roles.support])
    .orderBy('is_active', 'desc')
    .orderBy('role_id', 'desc')
    .execute()
  const workers = staff.map(({ id, first_name, last_name }) => ({ id, name: `${first_name} ${last_name}` }))
  const companies = await tx
    .selectFrom('company')
    .select(['id', 'subdomain', 'city', 'state', 'zipcode'])
    .orderBy('id')
    .execute()
  const department = await tx
    .insertInto('platform_department')
    .values({ name: 'Website Support' })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('platform_person')
    .set({ department_id: department.id })
    .where('role_id', 'in', [roles.callCenter, roles.support])
    .execute()
  await tx
    .insertInto('saved_reply')
    .values(savedReplies.map((reply) => ({ ...reply, company_id: PLATFORM, subject_kind: KIND })))
    .execute()
  let nth = 0
  for (const company of companies) {
    const people = await tx
      .selectFrom('utility_account')
      .select(['customer_name', 'service_address', 'phone_no', 'account_number'])
      .where('company_id', '=', company.id)
      .orderBy('id')
      .limit(300)
      .execute()
    const share = shares[company.subdomain] ?? 0
    for (let n = 0; n < share; n += 1) {
      const what = ticketScenarios[nth % ticketScenarios.length]
      nth += 1
      const resident = people.length > 0 ? random.pick(people) : null
      // Spreads the requests of a company evenly over all days up to today.
      const age = ((DAYS * 24 * n) / share) * HOUR + random.int(1, 9) * HOUR
      if (what) await addOne(tx, company, what, resident, age, { now: clock.now(), random, workers, department })
    }
  }
}

type DemoAddress = { id: number; city: string; state: string; zipcode: string }
type Resident = { customer_name: string; service_address: string; phone_no: string; account_number: string } | null

async function addOne(
  tx: Tx,
  company: DemoAddress,
  what: DemoTicketScenario,
  resident: Resident,
  age: number,
  supportContext: DemoSupportContext,
): Promise<void> {
  const { random, now, workers, department } = supportContext
  const created = new Date(now.getTime() - age)
  const name = resident?.customer_name ?? random.pick(['Harriet Lund', 'Vernon Pope', 'Ines Castillo'])
  const active = workers[0]
  const worker = what.unassigned
    ? undefined
    : random.chance(0.15)
      ? workers.at(-1)
      : random.chance(0.3)
        ? workers[1]
        : active
  const ofDepartment = !worker && active !== undefined && random.chance(0.5)
  const { id } = await tx
    .insertInto('support_request')
    .values({
      ...{ company_id: company.id, created_at: created, updated_at: created, closed_at: null, first_reply_at: null },
      ...{ category: what.about, name, message: what.text, person_id: null, assigned_to: worker?.id ?? null },
      department_id: ofDepartment ? department.id : null,
      email: what.phone ? '' : emailOf(name),
      phone: resident?.phone_no || '7175550161',
      ...{
        account_number: resident?.account_number ?? '',
        address: resident?.service_address ?? '',
        city: company.city,
      },
      ...{ state: company.state, zipcode: company.zipcode },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const by = worker ?? active
  if (by && (worker || ofDepartment))
    await tx
      .insertInto('case_entry')
      .values({
        ...{ company_id: company.id, subject_kind: KIND, subject_id: id, at: created, kind: 'assignment' },
        ...{ visibility: 'staff', author_kind: 'platform', author_id: by.id, author_name: by.name },
        text: worker?.name ?? department.name,
        ...(worker ? { assigned_to: worker.id } : { department_id: department.id }),
      })
      .execute()
  await notifyOn(tx, company.id, id, what, {
    created,
    name,
    worker: worker ?? active ?? { id: 0, name: 'Support' },
    now,
  })
}

const emailOf = (name: string): string =>
  `${name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .trim()
    .replaceAll(' ', '.')}@mail.example`

/** Event that leads to each status. */
const eventTo = { 0: 'submit', 1: 'start', 2: 'complete', 3: 'reopen', 4: 'invalidate' } as const

interface DemoScenario {
  created: Date
  name: string
  worker: Worker
  now: Date
}

/** Adds messages and transitions in order. Skips those in the future. */
async function notifyOn(
  tx: Tx,
  company: number,
  id: number,
  { messages = [], completed, reopened, invalid }: DemoTicketScenario,
  { created, name, worker, now }: DemoScenario,
): Promise<void> {
  let at = created
  let status = NEW as Status | typeof NEW
  let seq = 0
  let last = { id: 0, from: 'person' as 'person' | 'staff' }
  let firstReplyAt: Date | null = null
  const step = async (to: Status, by: 'person' | 'platform', reason = '') => {
    await tx
      .insertInto('status_history')
      .values({
        company_id: company,
        machine: requestStates.name,
        subject_id: id,
        seq: ++seq,
        from_state: String(status),
        to_state: String(to),
        event: eventTo[to],
        at,
        reason,
        actor_kind: by === 'person' ? 'guest' : 'platform',
        ...(by === 'person' ? { actor_id: null, actor_name: name } : { actor_id: worker.id, actor_name: worker.name }),
      })
      .execute()
    status = to
  }
  const later = (hours: number): boolean => {
    const next = new Date(at.getTime() + hours * HOUR)
    if (next >= now) return false
    at = next
    return true
  }
  await step(0, 'person')
  for (const [kind, text, hours] of messages) {
    const reopens = kind === 'person' && reopened
    if (reopens && later(1)) await step(2, 'platform')
    if (!later(hours)) break
    const isPerson = kind === 'person'
    const written = await tx
      .insertInto('case_entry')
      .values({
        company_id: company,
        subject_kind: KIND,
        subject_id: id,
        at,
        kind: isPerson ? 'message' : kind,
        visibility: kind === 'note' ? 'staff' : 'everyone',
        author_kind: isPerson ? 'person' : 'platform',
        author_id: isPerson ? null : worker.id,
        author_name: isPerson ? name : worker.name,
        text,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    last = { id: written.id, from: kind === 'person' ? 'person' : kind === 'reply' ? 'staff' : last.from }
    if (kind === 'reply') firstReplyAt ??= at
    if (kind !== 'person' && status === 0) await step(1, 'platform')
    if (reopens && status === 2) await step(3, 'person')
  }
  if (completed && status === 1 && later(2)) await step(2, 'platform')
  if (invalid !== undefined && later(1)) await step(4, 'platform', invalid)
  const stands = status as Status
  await tx
    .updateTable('support_request')
    .set({
      status: stands,
      updated_at: at,
      closed_at: requestStates.states[stands].open ? null : at,
      first_reply_at: firstReplyAt,
      last_message_id: last.id,
      last_from: last.from,
    })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()
  if (worker.id === 0) return
  // If the requester wrote last, leaves that message unread for the assignee.
  await tx
    .insertInto('case_reader')
    .values({
      ...{ company_id: company, subject_kind: KIND, subject_id: id, reader_kind: 'platform', reader_id: worker.id },
      seen_id: last.from === 'person' ? Math.max(0, last.id - 1) : last.id,
    })
    .execute()
}

export const demo: DemoPart = {
  after: ({ db, clock }) => outsideCompanies(db.platform)((tx) => addSupportRequests(tx, clock, randomFrom(7707))),
}
