import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { recordCreation, loadHistory, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { buttonsFrom, eventsFrom } from '../../../shared/machine.ts'
import { plural, say } from '../../../shared/messages.ts'
import {
  addRound,
  confirmRound,
  staffRound,
  runLottery,
  transitionRound,
  repeatLottery,
  roundChoices,
  type RoundForm,
  saveRound,
} from '../contract.ts'
import { lotteryOf, type LotteryInput, type LotteryResult, hashOfSeed } from '../rules.ts'
import { roundStates } from '../states.ts'
import { inputsOf } from './lottery.ts'
import { allocationViews } from './lottery-view.ts'
import {
  lotteryOfRound,
  findRound,
  formOfRound,
  lockedRound,
  roundStateStore,
  lockRound,
  newSeed,
  resourceIdsOf,
  resourcesOf,
  type Round,
  roundDetails,
  rowOfRound,
} from './rounds.ts'

const choicesCall = implement(roundChoices, (call) =>
  call.reading(async (tx) => ({
    today: dateIn(call.company.timeZone, call.context.clock.now()),
    resources: await tx
      .selectFrom('rental_resource')
      .select(['id', 'name'])
      .where('company_id', '=', call.company.id)
      .where('status', '=', 'open')
      // Excludes equipment, which has no lottery and is reserved directly.
      .where('kind', '<>', 'equipment')
      .orderBy('name')
      .limit(200)
      .execute(),
  })),
)

async function saveResources(tx: Tx, company: CompanyId, round: number, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM rental_resource WHERE company_id = ${company} AND id = ANY (${[...ids]}::bigint[]) AND kind <> 'equipment'`.execute(
    tx,
  )
  if (rows.length !== new Set(ids).size)
    throw notFound('One of the selected resources no longer exists. Choose the resources again.')
  await tx.deleteFrom('rental_round_resource').where('company_id', '=', company).where('round_id', '=', round).execute()
  await tx
    .insertInto('rental_round_resource')
    .values(rows.map(({ id }) => ({ company_id: company, round_id: round, resource_id: id })))
    .execute()
}

const addCall = implement(addRound, (call) =>
  call.inCompany(async (tx) => {
    const { company, context } = call
    const { companyId: _named, ...form } = call.body
    const { id } = await tx
      .insertInto('rental_round')
      .values({ company_id: company.id, ...rowOfRound(form, company.timeZone), created_at: context.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await saveResources(tx, company.id, id, form.resourceIds)
    await recordCreation(tx, roundStateStore, {
      ...{ scope: company.id, id, event: 'plan', actor: actorOf(call), detail: { name: form.name } },
    })
    return {
      success: true as const,
      message: say`“${form.name}” was saved as a draft. Review its terms, then open applications.`,
      roundId: id,
    }
  }),
)

const saveCall = implement(saveRound, (call) => {
  const { companyId: _named, roundId, basis, ...own } = call.body
  const { company } = call
  return call.inCompany(async (tx) => {
    const row = await lockRound(tx, company.id, roundId)
    if (row.status !== 'draft')
      throw conflict(
        'wrong_status',
        say`You can no longer change the terms of “${row.name}” because applications have already opened.`,
      )
    const before = formOfRound(row, await resourceIdsOf(tx, company.id, roundId), company.timeZone)
    const edit = editBy(tx, call, `rental_round:${roundId}`)
    const after = await mergeEdit<RoundForm>(edit, { basis, own, now: { ...before } })
    if (!same(before, after)) {
      await changeRow(tx, 'rental_round', company.id, roundId, rowOfRound(after, company.timeZone))
      await saveResources(tx, company.id, roundId, after.resourceIds)
      await recordChanges(edit, { ...before }, { ...after })
      await call.audit(tx, {
        action: 'rental.round_saved',
        subject: { kind: 'rental_round', id: roundId },
        detail: { before, after },
      })
    }
    return { success: true as const, message: say`“${after.name}” saved.` }
  })
})

const moveCall = implement(transitionRound, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const row = await lockRound(tx, company.id, body.roundId)
    const opens = body.event === 'open' && row.status === 'draft'
    if (opens && row.closes_at <= context.clock.now())
      throw conflict('expired', say`The last day to apply has passed. Choose a later day first.`)
    const { message } = await transition(tx, roundStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedRound(row), event: body.event, actor: actorOf(call) },
      reason: body.reason,
      ...(opens && { patch: await newSeed(context) }),
    })
    if (body.event === 'cancel') await context.jobs.enqueue(tx, 'rentals.allocate', {})
    return { success: true as const, message }
  }),
)

const runLotteryCall = implement(runLottery, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const row = await lockRound(tx, company.id, body.roundId)
    await transition(tx, roundStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedRound(row), event: 'run_lottery', actor: actorOf(call) },
    })
    if (row.seed_sealed === null) throw new Error(`round ${row.id} has no seed`)
    const seed = context.secrets.open(row.seed_sealed)
    const inputs = await inputsOf(tx, call, row)
    const result = await lotteryOf(seed, inputs)
    await tx
      .insertInto('rental_lottery')
      .values({
        ...{ company_id: company.id, round_id: row.id, seed },
        ...{ inputs: JSON.stringify(inputs), result: JSON.stringify(result) },
        ...{ run_at: context.clock.now(), run_by: callerName(call) },
      })
      .execute()
    const winners = new Set(result.allocations.map(({ number }) => number)).size
    const count = plural(inputs.applications.length, 'one applicant', '# applicants')
    return {
      success: true as const,
      message: say`The lottery has run: ${winners} of ${count} received an allocation. Review the results, then confirm them.`,
    }
  }),
)

const confirmCall = implement(confirmRound, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const row = await lockRound(tx, company.id, body.roundId)
    await transition(tx, roundStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedRound(row), event: 'confirm', actor: actorOf(call) },
    })
    await context.jobs.enqueue(tx, 'rentals.allocate', {})
    return {
      success: true as const,
      message: say`The results were confirmed. The portal will now reserve the allocated times and email each applicant.`,
    }
  }),
)

const repeatCall = implement(repeatLottery, (call) =>
  call.reading(async (tx) => {
    const round = await findRound(tx, call.company.id, call.body.roundId)
    const lottery = await lotteryOfRound(tx, call.company.id, round.id)
    if (!lottery) throw notFound('The lottery for this application round has not run yet.')
    const again = await lotteryOf(lottery.seed, lottery.inputs as unknown as LotteryInput)
    return {
      isSame: same(again, lottery.result as unknown as LotteryResult),
      isItsSeed: (await hashOfSeed(lottery.seed)) === round.seed_hash,
    }
  }),
)

async function decidedOf(tx: Tx, { company_id, id }: Round): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM rental_application
    WHERE company_id = ${company_id} AND round_id = ${id} AND status IN ('allocated', 'not_allocated')`.execute(tx)
  return rows[0]?.count ?? 0
}

const showCall = implement(staffRound, (call: Call<{ roundId: number }>) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { privileges } = signedIn(call)
    const row = await findRound(tx, company.id, body.roundId)
    const mover = { as: 'staff' as const, privileges }
    const events: readonly string[] = eventsFrom(roundStates, row.status, mover)
    const allocations = await allocationViews(tx, call, row)
    return {
      ...(await roundDetails(tx, row)),
      form: formOfRound(row, await resourceIdsOf(tx, company.id, row.id), company.timeZone),
      resources: await resourcesOf(tx, company.id, row.id),
      decided: await decidedOf(tx, row),
      history: await loadHistory(tx, roundStates, company.id, row.id),
      results: allocations,
      totalCents: allocations.reduce((sum, { totalCents }) => sum + totalCents, 0),
      can: {
        steps: buttonsFrom(roundStates, row.status, mover),
        edit: events.includes('open'),
        lottery: events.includes('run_lottery'),
        confirm: events.includes('confirm'),
      },
    }
  }),
)

export const roundStaffCalls = [
  choicesCall,
  addCall,
  saveCall,
  moveCall,
  runLotteryCall,
  confirmCall,
  repeatCall,
  showCall,
]
