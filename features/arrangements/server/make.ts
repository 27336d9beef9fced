import { changeRow } from '../../../server/db/rows.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { sql } from 'kysely'
import { payableOf, automaticPayments } from '../../payments/api.ts'
import {
  agreeArrangement,
  requestArrangement,
  declineArrangement,
  transitionArrangement,
  proposeArrangement,
} from '../contract.ts'
import { type Limits, limitsOf, refuseTerms, scheduleOf, type Terms } from '../rules.ts'
import { type Arrangement, findOne, type ArrangementWithSchedule, openOn, paidOn } from './arrangements.ts'
import { arrangementStateStore } from './arrangement-states.ts'
import { agreed, noticeDataOf, notifyPayers, proposed } from './emails.ts'
import { type Rules, rulesOf, currentTerms } from './settings.ts'

interface ArrangementInput {
  kind: string
  id: number
  terms: Terms
  /** Limits of the company. Null for staff, who may exceed them. */
  limits: Limits | null
}

/**
 * Creates an arrangement with its installments. Locks the open item, so that no other call creates a second arrangement
 * or changes the amount due.
 */
async function make(
  tx: Tx,
  call: Call,
  { kind, id, terms, limits }: ArrangementInput,
  rules: Rules,
): Promise<ArrangementWithSchedule> {
  const company = call.company.id
  const payable = payableOf(kind)
  if (!(await payable.lock(tx, company, id, call.context.clock.now()))) throw notFound('This account was not found.')
  if (await openOn(tx, company, kind, id))
    throw conflict('has_arrangement', 'This account already has a payment arrangement. Reload the page.')
  const [{ owedCents, pendingCents }, { reference, payerName }] = await Promise.all([
    payable.owed(tx, company, id),
    payable.describe(tx, company, id),
  ])
  const now = call.context.clock.now()
  const today = dateIn(call.company.timeZone, now)
  const against = refuseTerms(terms, { owedCents: owedCents - pendingCents, today, limits })
  if (against) throw rejected(against.message, { [`form.${against.field}`]: against.message })
  const schedule = scheduleOf(terms)
  const row = await tx
    .insertInto('arrangement')
    .values({
      company_id: company,
      kind,
      payable_id: id,
      reference,
      payer_name: payerName,
      state: limits ? 'active' : 'proposed',
      total_cents: terms.totalCents,
      installments: schedule.length,
      grace_days: rules.graceDays,
      made_by: callerName(call),
      made_at: now,
      last_due: schedule.at(-1)?.dueOn ?? terms.firstOn,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('arrangement_installment')
    .values(
      schedule.map(({ no, dueOn, cents }) => ({
        company_id: company,
        arrangement_id: row.id,
        no,
        due_on: dueOn,
        cents,
      })),
    )
    .execute()
  await recordCreation(tx, arrangementStateStore, {
    scope: company,
    id: row.id,
    event: limits ? 'request' : 'propose',
    actor: actorOf(call),
    detail: { account: reference, totalCents: terms.totalCents, installments: schedule.length },
  })
  return { ...row, schedule, paid_cents: 0 }
}

/**
 * Saves the agreement text and returns the evidence of an agreement: person, text version, time and device. The
 * evidence includes the amount paid before the agreement, which does not count toward the arrangement.
 */
async function evidence(tx: Tx, call: Call, row: Arrangement, rules: Rules, person: number | null) {
  const { company, context } = call
  const { version, text } = await currentTerms(tx, company, rules)
  const at = context.clock.now()
  await tx
    .insertInto('arrangement_terms')
    .values({ company_id: company.id, version, text, since: at })
    .onConflict((on) => on.doNothing())
    .execute()
  const { rows } = await sql<{ cents: number }>`
    SELECT ${paidOn()} AS cents FROM arrangement a WHERE a.company_id = ${company.id} AND a.id = ${row.id}`.execute(tx)
  const patch = {
    person_id: person,
    agreed_at: at,
    agreed_version: version,
    agreed_by: callerName(call),
    agreed_address: call.address,
    agreed_device: call.device,
    paid_before_cents: rows[0]?.cents ?? 0,
  }
  return { patch, text }
}

/**
 * Checks that the resident read the current text.
 * @throws 409 if the text has changed
 */
async function checkTermsVersion(tx: Tx, call: Call, rules: Rules, read: number): Promise<void> {
  if ((await currentTerms(tx, call.company, rules)).version !== read)
    throw conflict('words_changed', 'The terms have changed. Reload the page and read the new terms.')
}

async function checkOwn(tx: Tx, call: Call, kind: string, id: number): Promise<void> {
  const { recurs } = payableOf(kind)
  if (!recurs || !(await recurs.isLinked(tx, call.company.id, signedIn(call).personId, id)))
    throw notFound('This account is not linked to your profile. Link it first.')
}

export const requestArrangementCall = implement(requestArrangement, (call) => {
  const { company, context, body } = call
  const { kind, itemId, termsVersion, form } = body
  return call.inCompany(async (tx) => {
    const rules = await rulesOf(tx, company.id)
    if (!rules.byResidents)
      throw conflict('no_arrangements', say`Contact ${company.name} to set up a payment arrangement.`)
    await checkTermsVersion(tx, call, rules, termsVersion)
    await checkOwn(tx, call, kind, itemId)
    const row = await make(tx, call, { kind, id: itemId, terms: form, limits: limitsOf(rules) }, rules)
    const { patch, text } = await evidence(tx, call, row, rules, signedIn(call).personId)
    await changeRow(tx, 'arrangement', company.id, row.id, patch)
    await notifyPayers(tx, context, company, { ...row, ...patch }, agreed, {
      ...noticeDataOf(row),
      agreementText: text,
    })
    return { success: true as const, message: await startMessage(tx, call, row) }
  })
})

/** Returns the payer's message when an arrangement starts, including its effect on AutoPay. */
async function startMessage(
  tx: Tx,
  call: Call,
  { kind, payable_id, reference }: ArrangementWithSchedule,
): Promise<string> {
  const message = say`The payment arrangement for account ${reference} is now in effect.`
  const automatic = await automaticPayments()?.follow(tx, call, kind, payable_id)
  return automatic ? `${message} ${automatic}` : message
}

/** Locks an arrangement that the caller may accept or decline. */
async function lockOwn(tx: Tx, call: Call, id: number): Promise<ArrangementWithSchedule> {
  const unlocked = await findOne(tx, call.company.id, id)
  // Locks the open item first, in the same order as `make`, to prevent a deadlock.
  await payableOf(unlocked.kind).lock(tx, call.company.id, unlocked.payable_id, call.context.clock.now())
  const row = await findOne(tx, call.company.id, id, { lock: true })
  await checkOwn(tx, call, row.kind, row.payable_id)
  return row
}

export const agreeCall = implement(agreeArrangement, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const rules = await rulesOf(tx, company.id)
    await checkTermsVersion(tx, call, rules, body.termsVersion)
    const row = await lockOwn(tx, call, body.id)
    const { patch, text } = await evidence(tx, call, row, rules, signedIn(call).personId)
    await transition(tx, arrangementStateStore, {
      scope: company.id,
      id: row.id,
      event: 'agree',
      actor: actorOf(call),
      patch,
      deps: { context, company, agreementText: text },
    })
    return { success: true as const, message: await startMessage(tx, call, row) }
  })
})

export const declineCall = implement(declineArrangement, (call) =>
  call.inCompany(async (tx) => {
    const row = await lockOwn(tx, call, call.body.id)
    const { message } = await transition(tx, arrangementStateStore, {
      scope: call.company.id,
      id: row.id,
      event: 'decline',
      actor: actorOf(call),
      deps: null,
    })
    return { success: true as const, message }
  }),
)

export const proposeCall = implement(proposeArrangement, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const rules = await rulesOf(tx, company.id)
    const row = await make(tx, call, { kind: body.kind, id: body.itemId, terms: body.form, limits: null }, rules)
    await notifyPayers(tx, context, company, row, proposed, noticeDataOf(row))
    const message = say`Arrangement proposed. It starts when the resident agrees in the portal, in writing or by phone.`
    return { success: true as const, message, id: row.id }
  })
})

export const moveCall = implement(transitionArrangement, (call) => {
  const { company, context, body } = call
  const { id, event, reason } = body
  return call.inCompany(async (tx) => {
    const unlocked = await findOne(tx, company.id, id)
    await payableOf(unlocked.kind).lock(tx, company.id, unlocked.payable_id, context.clock.now())
    const row = await findOne(tx, company.id, id, { lock: true })
    const actor = actorOf(call)
    if (event === 'end') {
      const { message } = await transition(tx, arrangementStateStore, {
        scope: company.id,
        id,
        event,
        actor,
        reason,
        deps: { context, company },
      })
      return { success: true as const, message }
    }
    const { patch, text } = await evidence(tx, call, row, await rulesOf(tx, company.id), null)
    const { message } = await transition(tx, arrangementStateStore, {
      scope: company.id,
      id,
      event,
      actor,
      reason,
      patch,
      deps: { context, company, agreementText: text },
    })
    const automatic = await automaticPayments()?.follow(tx, call, row.kind, row.payable_id)
    return { success: true as const, message: automatic ? `${message} ${automatic}` : message }
  })
})
