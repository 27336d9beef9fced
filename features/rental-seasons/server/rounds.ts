import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type LockedEntity, defineStateStore, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import type { RoundForm } from '../contract.ts'
import { hashOfSeed } from '../rules.ts'
import { type ApplicationStatus, type RoundStatus, roundStates } from '../states.ts'

export type Round = Selectable<Schema['rental_round']>
export type Application = Selectable<Schema['rental_application']>
export type ChoiceRow = Selectable<Schema['rental_choice']>

export const { find: findRound, lock: lockRound } = rowFinderById('rental_round', () =>
  notFound('This application round was not found.'),
)
export const { find: findApplication, lock: lockApplication } = rowFinderById('rental_application', () =>
  notFound('This application was not found.'),
)

export const lockedRound = (row: Round): LockedEntity<RoundStatus> => ({
  id: row.id,
  state: row.status,
  name: `“${row.name}”`,
  details: { name: row.name },
})

export const lockedApplication = (row: Application): LockedEntity<ApplicationStatus> => ({
  id: row.id,
  state: row.status,
  name: say`Application ${row.number}`,
  number: row.number,
  details: { round: row.round_id },
  person: row.person_id,
})

type RoundPatch = Partial<Pick<Round, 'seed_sealed' | 'seed_hash'>>
type RoundStep = Transition<RoundStatus, EventOf<typeof roundStates>, LockedEntity<RoundStatus>, RoundPatch>
export const roundStateStore = defineStateStore({
  machine: roundStates,
  subject: 'rental_round',
  lock: async (tx, scope, id) => lockedRound(await lockRound(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, patch }: RoundStep) =>
    changeRow(tx, 'rental_round', scope, locked.id, { ...patch, status: to }),
})

const SEED_BYTES = 32
/** Creates an encrypted seed for the lottery, and its public hash. */
export async function newSeed({ secrets }: Pick<AppContext, 'secrets'>): Promise<Required<RoundPatch>> {
  const seed = randomBytes(SEED_BYTES).toString('hex')
  return { seed_sealed: secrets.seal(seed), seed_hash: await hashOfSeed(seed) }
}

export const rowOfRound = (form: RoundForm, timeZone: string) => ({
  name: form.name,
  description: form.text,
  season_from: form.seasonFrom,
  season_until: form.seasonUntil,
  opens_at: midnightIn(timeZone, form.opensOn),
  closes_at: midnightIn(timeZone, addDays(form.closesOn, 1)),
  max_choices: form.maxChoices,
  max_hours: form.maxHours,
  audience: form.audience,
  pay_days: form.payDays,
  groups: JSON.stringify(form.groups),
})

export const formOfRound = (row: Round, resourceIds: number[], timeZone: string): RoundForm => ({
  name: row.name,
  text: row.description,
  resourceIds,
  seasonFrom: row.season_from,
  seasonUntil: row.season_until,
  opensOn: dateIn(timeZone, row.opens_at),
  closesOn: addDays(dateIn(timeZone, row.closes_at), -1),
  maxChoices: row.max_choices,
  maxHours: row.max_hours,
  audience: row.audience,
  payDays: row.pay_days,
  groups: row.groups,
})

export async function resourceIdsOf(tx: Tx, company: CompanyId, round: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('rental_round_resource')
    .select('resource_id')
    .where('company_id', '=', company)
    .where('round_id', '=', round)
    .orderBy('resource_id')
    .execute()
  return rows.map(({ resource_id }) => resource_id)
}

/** Lists the resources of a round, with their parts. */
export async function resourcesOf(tx: Tx, company: CompanyId, round: number) {
  const { rows } = await sql<{
    id: number
    name: string
    stepMinutes: number
    spaces: { id: number; name: string }[]
  }>`
    SELECT s.id, s.name, s.step_minutes AS "stepMinutes",
      (SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.id) FROM rental_space p
       WHERE p.company_id = s.company_id AND p.resource_id = s.id) AS spaces
    FROM rental_round_resource c JOIN rental_resource s ON s.company_id = c.company_id AND s.id = c.resource_id
    WHERE c.company_id = ${company} AND c.round_id = ${round} ORDER BY s.name, s.id`.execute(tx)
  return rows
}

export const lotteryOfRound = (tx: Tx, company: CompanyId, round: number) =>
  tx
    .selectFrom('rental_lottery')
    .selectAll()
    .where('company_id', '=', company)
    .where('round_id', '=', round)
    .executeTakeFirst()

export const choicesOf = (tx: Tx, company: CompanyId, applications: readonly number[]): Promise<ChoiceRow[]> =>
  tx
    .selectFrom('rental_choice')
    .selectAll()
    .where('company_id', '=', company)
    .where('application_id', '=', sql<number>`ANY (${[...applications]}::bigint[])`)
    .orderBy('application_id')
    .orderBy('rank')
    .execute()

/** Statuses of applications that take part in the lottery or already have its result. */
export const IN_LOTTERY: readonly ApplicationStatus[] = ['submitted', 'allocated', 'not_allocated']

/** Loads the public data of a round. */
export async function roundDetails(tx: Tx, row: Round) {
  const company = row.company_id as CompanyId
  const lottery = await lotteryOfRound(tx, company, row.id)
  const { count } = await tx
    .selectFrom('rental_application')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('company_id', '=', company)
    .where('round_id', '=', row.id)
    .where('status', 'in', IN_LOTTERY)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    text: row.description,
    seasonFrom: row.season_from,
    seasonUntil: row.season_until,
    opensAt: row.opens_at.toISOString(),
    closesAt: row.closes_at.toISOString(),
    maxChoices: row.max_choices,
    maxHours: row.max_hours,
    audience: row.audience,
    payDays: row.pay_days,
    groups: row.groups,
    seedHash: row.seed_hash,
    seed: lottery?.seed ?? '',
    lotteryRanAt: lottery?.run_at.toISOString() ?? null,
    applications: Number(count),
  }
}
