import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { recordCreation, historyOf, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import {
  applyForSeason,
  checkChoice,
  rentalLottery,
  rentalRound,
  rentalRounds,
  withdrawApplication,
} from '../contract.ts'
import type { LotteryInput, LotteryResult } from '../rules.ts'
import { applicationStates, roundStates } from '../states.ts'
import { offerOf, isResident } from '../../rentals/api.ts'
import { applicationStateStore } from './application-states.ts'
import { ofApplication } from './lottery.ts'
import { validateChoice, saveChoices, choiceViews } from './round-choices.ts'
import {
  type Application,
  lotteryOfRound,
  findRound,
  lockedApplication,
  resourceIdsOf,
  resourcesOf,
  type Round,
  roundDetails,
} from './rounds.ts'

const NOT_FOUND = 'This application round was not found.'

/**
 * Finds a round that residents may see.
 * @throws 404 for a draft
 */
async function findVisibleRound(tx: Tx, call: Call<{ roundId: number }>): Promise<Round> {
  const row = await findRound(tx, call.company.id, call.body.roundId)
  if (row.status === 'draft') throw notFound(NOT_FOUND)
  return row
}

async function findOwnApplication(tx: Tx, call: Call, round: number, locked = false): Promise<Application | undefined> {
  const { rows } = await sql<Application>`
    SELECT * FROM rental_application WHERE company_id = ${call.company.id} AND round_id = ${round}
      AND person_id = ${signedIn(call).personId} ${locked ? sql`FOR UPDATE` : sql``}`.execute(tx)
  return rows[0]
}

const roundsCall = implement(rentalRounds, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const { rows } = await sql<Round>`
      SELECT * FROM rental_round WHERE company_id = ${company.id} AND (status IN ('open', 'closed', 'lottery_run')
        OR status IN ('confirmed', 'cancelled') AND closes_at > ${context.clock.now()}::timestamptz - interval '1 year')
      ORDER BY season_from DESC, id DESC LIMIT 20`.execute(tx)
    const rounds = []
    for (const row of rows)
      rounds.push({
        ...(await roundDetails(tx, row)),
        own: (await findOwnApplication(tx, call, row.id))?.status ?? null,
      })
    return { rounds }
  }),
)

/** Returns the reason that the caller cannot apply or make changes now, otherwise ''. */
function mistakeOf(
  round: Round,
  call: Call,
  isCallerResident: boolean,
  ownApplication: Application | undefined,
): string {
  const now = call.context.clock.now()
  const { timeZone } = call.company
  if (round.status !== 'open' || now >= round.closes_at) return say`The application period has ended.`
  if (now < round.opens_at) return say`You can apply starting ${formatInstant(round.opens_at, timeZone)}.`
  if (ownApplication?.status === 'excluded') return say`The office excluded your application from this lottery.`
  if (round.audience === 'residents' && !isCallerResident)
    return say`This application round is for residents only. Link your utility account first so that we can confirm that you are a resident.`
  return ''
}

const lastReason = async (tx: Tx, machine: { name: string }, company: number, id: number): Promise<string> =>
  (await historyOf(tx, machine, company, id).clearOrderBy().orderBy('seq', 'desc').limit(1).execute())[0]?.reason ?? ''

const roundCall = implement(rentalRound, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { personId } = signedIn(call)
    const row = await findVisibleRound(tx, call)
    const ownApplication = await findOwnApplication(tx, call, row.id)
    const lottery = await lotteryOfRound(tx, company.id, row.id)
    const result = lottery?.result as unknown as LotteryResult | undefined
    const groups = new Map(
      (lottery?.inputs as unknown as LotteryInput | undefined)?.applications.map(({ number, group }) => [
        number,
        group,
      ]),
    )
    const profile = await tx
      .selectFrom('person')
      .select('mobile_no')
      .where('company_id', '=', company.id)
      .where('id', '=', personId)
      .executeTakeFirst()
    return {
      ...(await roundDetails(tx, row)),
      resources: await resourcesOf(tx, company.id, row.id),
      mistake: mistakeOf(row, call, await isResident(tx, company.id, personId), ownApplication),
      reason: ['closed', 'cancelled'].includes(row.status) ? await lastReason(tx, roundStates, company.id, row.id) : '',
      phone: profile?.mobile_no ?? '',
      own: ownApplication
        ? {
            number: ownApplication.number,
            status: ownApplication.status,
            group: row.groups[ownApplication.group_no - 1] ?? '',
            reason:
              ownApplication.status === 'excluded'
                ? await lastReason(tx, applicationStates, company.id, ownApplication.id)
                : '',
            ...{
              club: ownApplication.club,
              purpose: ownApplication.purpose,
              guests: ownApplication.guests,
              phone: ownApplication.phone,
            },
            rankedChoices: await choiceViews(tx, call, ownApplication, row),
          }
        : null,
      turns: (result?.order ?? []).map((number) => {
        const own = ofApplication(result as LotteryResult, number)
        return {
          number,
          group: groups.get(number) ?? 0,
          allocations: own.allocations,
          missed: own.missed.map(({ rank }) => rank),
        }
      }),
    }
  }),
)

const checkCall = implement(checkChoice, (call) =>
  call.reading(async (tx) => {
    const { roundId: _named, ...choice } = call.body
    const round = await findVisibleRound(tx, call)
    if (!(await resourceIdsOf(tx, call.company.id, round.id)).includes(choice.resourceId)) throw notFound(NOT_FOUND)
    const offer = await offerOf(tx, call.company, choice.resourceId)
    return validateChoice(tx, call, { round, offer, guests: 0 }, choice)
  }),
)

/** Finds a round that residents may see, and locks it so that the lottery cannot run in parallel. */
async function lockOpenRound(tx: Tx, call: Call<{ roundId: number }>): Promise<Round> {
  const { rows } = await sql<Round>`
    SELECT * FROM rental_round WHERE company_id = ${call.company.id} AND id = ${call.body.roundId} AND status <> 'draft'
    FOR SHARE`.execute(tx)
  if (!rows[0]) throw notFound(NOT_FOUND)
  return rows[0]
}

const applyCall = implement(applyForSeason, (call) =>
  call.once(async (tx) => {
    const { company, body, context } = call
    const { personId, email } = signedIn(call)
    const now = context.clock.now()
    const round = await lockOpenRound(tx, call)
    const before = await findOwnApplication(tx, call, round.id, true)
    const isCallerResident = await isResident(tx, company.id, personId)
    const mistake = mistakeOf(round, call, isCallerResident, before)
    if (mistake) throw conflict('closed', mistake)
    const patch = {
      ...{ name: callerName(call), email, phone: nationalDigits(body.phone), club: body.club, purpose: body.purpose },
      ...{ guests: body.guests, is_resident: isCallerResident, agreed_at: now, updated_at: now },
    }
    const row = await tx
      .insertInto('rental_application')
      .values({
        ...{ company_id: company.id, round_id: round.id, person_id: personId, status: 'submitted', created_at: now },
        ...patch,
      })
      .onConflict((on) => on.columns(['company_id', 'round_id', 'person_id']).doUpdateSet(patch))
      .returningAll()
      .executeTakeFirstOrThrow()
    const resourceIds = await resourceIdsOf(tx, company.id, round.id)
    const choiceContext = { round, application: row.id, guests: body.guests, resourceIds }
    await saveChoices(tx, call, choiceContext, body.rankedChoices)
    const detail = { rankedChoices: body.rankedChoices.length, ...(body.club && { club: body.club }) }
    if (!before) {
      const { id, number, person, details } = lockedApplication(row)
      await recordCreation(tx, applicationStateStore, {
        ...{ scope: company.id, id, event: 'apply', actor: actorOf(call) },
        ...(number !== undefined && { number }),
        ...(person !== undefined && { person }),
        detail: { ...details, ...detail },
      })
    } else if (before.status === 'withdrawn')
      await transition(tx, applicationStateStore, {
        scope: company.id,
        id: row.id,
        locked: lockedApplication(row),
        event: 'apply_again',
        actor: actorOf(call),
        detail,
        deps: null,
      })
    else
      await call.audit(tx, {
        action: 'rental.application_changed',
        subject: { kind: 'rental_application', id: row.number },
        detail,
      })
    const message =
      before?.status === 'submitted'
        ? say`Application ${row.number} was updated.`
        : say`Application ${row.number} is in the lottery.`
    return { success: true as const, message }
  }),
)

const withdrawCall = implement(withdrawApplication, (call) =>
  call.inCompany(async (tx) => {
    const round = await lockOpenRound(tx, call)
    const row = await findOwnApplication(tx, call, round.id, true)
    if (!row) throw notFound('You have not applied in this application round.')
    if (round.status !== 'open' || call.context.clock.now() >= round.closes_at)
      throw conflict(
        'closed',
        say`The application period has ended, so you can no longer withdraw your application. If you need help, call the office.`,
      )
    const { message } = await transition(tx, applicationStateStore, {
      scope: call.company.id,
      id: row.id,
      locked: lockedApplication(row),
      event: 'withdraw',
      actor: actorOf(call),
      deps: null,
    })
    return { success: true as const, message }
  }),
)

const runLotteryCall = implement(rentalLottery, (call) =>
  call.reading(async (tx) => {
    const round = await findVisibleRound(tx, call)
    const lottery = await lotteryOfRound(tx, call.company.id, round.id)
    if (!lottery) throw notFound('The lottery for this application round has not run yet.')
    return {
      ...{ seed: lottery.seed, seedHash: round.seed_hash },
      inputs: lottery.inputs as never,
      result: lottery.result as never,
    }
  }),
)

export const roundCalls = [roundsCall, roundCall, checkCall, applyCall, withdrawCall, runLotteryCall]
