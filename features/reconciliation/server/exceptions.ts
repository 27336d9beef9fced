import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import { refuseStale } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { loadHistory, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { formatCents } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { post, transferOf } from '../../payments/api.ts'
import {
  bankRules,
  checkReconciliation,
  transitionException,
  openBankLine,
  ownException,
  removeBankRule,
  resolveException,
  showException,
} from '../contract.ts'
import { resolutionMethodsOf } from '../rules.ts'
import { exceptionStates } from '../states.ts'
import {
  exceptionRows,
  updateExceptions,
  lockedException,
  lockCompany,
  exceptionStateStore,
} from './update-exceptions.ts'
import { BANK, decisionRef, type Match, type OpenLine, resolveLine, undoLine } from './match-bank.ts'
import { providerName } from './provider-name.ts'
import { readPayouts } from './read-payouts.ts'

/** Number of days before and after a bank line in which the portal searches for matching payouts. */
const DAYS_AROUND = 31
const MAX_OFFERED = 12
const SEARCH_MS = 20_000

/** Returns the number in a subject such as `payout 12`, `line 12/3` or `payment 7 capture pi_1`. */
const numberIn = (subject: string, of: string): number | null =>
  subject.startsWith(`${of} `) ? Number.parseInt(subject.slice(of.length + 1), 10) : null

const lineOf = (tx: Tx, company: CompanyId, id: number) =>
  tx
    .selectFrom('bank_transaction')
    .select([
      'id',
      'version',
      'booked_on as day',
      'amount_cents as cents',
      'code',
      'reference',
      'description as text',
      'became',
    ])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Lists payouts that move money in the same direction as the bank line: to the bank, or from the bank to the provider.
 */
const payoutsAround = (tx: Tx, company: CompanyId, { day, cents }: OpenLine) =>
  tx
    .selectFrom('payout')
    .select(['id', 'trace', 'arrives_on as arrivesOn', 'net_cents as netCents'])
    .select(providerName(sql`payout.provider`).as('provider'))
    .where('company_id', '=', company)
    .where('deposited_cents', 'is', null)
    .where('arrives_on', '>=', addDays(day, -DAYS_AROUND))
    .where('arrives_on', '<=', addDays(day, DAYS_AROUND))
    .where('net_cents', cents < 0 ? '<' : '>', 0)
    .orderBy('arrives_on', 'desc')
    .limit(MAX_OFFERED)
    .execute()

const showExceptionCall = implement(showException, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const row = await exceptionRows.find(tx, company, call.body.id)
    const { privileges, personId } = signedIn(call)
    const lineId = numberIn(row.subject, 'bank_transaction')
    const line = lineId === null ? undefined : await lineOf(tx, company, lineId)
    const payoutId = numberIn(row.subject, 'payout') ?? numberIn(row.subject, 'line')
    return {
      id: row.id,
      kind: row.kind,
      about: row.about,
      day: row.on_day,
      amountCents: row.amount_cents,
      status: row.status,
      openedAt: row.opened_at.toISOString(),
      owner: row.owner_name,
      isOwn: row.owner_id === personId,
      reason: row.reason,
      line: line
        ? {
            text: line.text,
            reference: line.reference,
            code: line.code,
            became: line.became,
            payouts: line.became === 'open' ? await payoutsAround(tx, company, line) : [],
          }
        : null,
      payoutId,
      paymentId: numberIn(row.subject, 'payment'),
      hows: row.status === 'open' ? resolutionMethodsOf(row.kind) : [],
      can: buttonsFrom(exceptionStates, row.status, { as: 'staff', privileges }),
      mayResolve: row.status === 'open' && may(privileges, 'reconcile', 'update'),
      history: await loadHistory(tx, exceptionStates, company, row.id),
    }
  }),
)

type LockedException = Awaited<ReturnType<typeof exceptionRows.lock>>

const resolveExceptionCall = implement(resolveException, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    await lockCompany(tx, company.id)
    const row = await exceptionRows.lock(tx, company.id, body.id)
    if (row.status === 'open')
      refuseStale(
        body.basis,
        { amountCents: row.amount_cents },
        () =>
          say`The difference is now ${formatCents(row.amount_cents)}. Check the difference, then resolve the exception again.`,
      )
    if (row.status === 'open' && !resolutionMethodsOf(row.kind).includes(body.how))
      throw rejected(say`This resolution is not available for this exception. Reload the page and try again.`)
    const detail = { how: body.how, about: row.about, cents: row.amount_cents }
    const { message } = await transition(tx, exceptionStateStore, {
      ...{ scope: company.id, id: row.id, locked: lockedException(row), event: 'resolve', actor: actorOf(call) },
      ...{ reason: body.reason, detail },
    })
    if (row.kind === 'bank_unknown') await resolveBankLine(tx, call, row)
    if (body.how === 'write_off') await writeOff(tx, call, row)
    // The payout is no longer missing. If its amount differs, this search opens a new exception.
    if (body.how === 'payout') await updateExceptions(tx, call.context, company)
    return { success: true as const, message }
  })
})

async function resolveBankLine(
  tx: Tx,
  call: Call<{ how: string; reason: string; payoutId?: number | undefined; addsRule?: string | undefined }>,
  row: LockedException,
) {
  const { body, company, context } = call
  const lockedLine = await lockLine(tx, company.id, numberIn(row.subject, 'bank_transaction') ?? 0)
  if (!lockedLine || lockedLine.became !== 'open')
    throw rejected(say`Someone else already matched this transaction. Reload the page.`)
  const line = {
    id: lockedLine.id,
    version: lockedLine.version,
    day: lockedLine.booked_on,
    cents: lockedLine.amount_cents,
    reference: lockedLine.reference,
    text: lockedLine.description,
  }
  const match = await matchOf(tx, company.id, body)
  const at = context.clock.now()
  await resolveLine(tx, company.id, line, match, { at, by: callerName(call), reason: body.reason })
  if (!body.addsRule || match.became === 'payout' || match.became === 'lockbox') return
  const lineText = `${line.reference} ${line.text}`.toUpperCase()
  if (body.addsRule.length < 3 || !lineText.includes(body.addsRule.toUpperCase())) {
    const errorText = say`Enter at least 3 consecutive characters from the bank description.`
    throw rejected(errorText, { addsRule: errorText })
  }
  await tx
    .insertInto('bank_rule')
    .values({
      company_id: company.id,
      match_text: body.addsRule,
      comes_in: line.cents > 0,
      became: match.became,
      made_at: at,
      made_by: callerName(call),
    })
    .onConflict((on) => on.constraint('bank_rule_once').doUpdateSet({ became: match.became }))
    .execute()
  await call.audit(tx, { action: 'reconciliation.rule_added', detail: { text: body.addsRule, became: match.became } })
}

async function matchOf(
  tx: Tx,
  company: CompanyId,
  { how, payoutId }: { how: string; payoutId?: number | undefined },
): Promise<Match> {
  if (how === 'office' || how === 'fee' || how === 'not_ours') return { became: how }
  const payout = payoutId === undefined ? undefined : await lockRow(tx, 'payout', company, payoutId)
  if (!payout || payout.deposited_cents !== null) {
    const errorText = say`Choose a payout that has not arrived yet.`
    throw rejected(errorText, { payoutId: errorText })
  }
  return { became: 'payout', payoutId: payout.id }
}

/** Books the difference between the payout amount and the received amount, on the day of the decision. */
async function writeOff(tx: Tx, call: Call, row: LockedException): Promise<void> {
  const entry = { orderId: null, source: BANK, sourceRef: decisionRef('difference', row), at: call.context.clock.now() }
  const kind = row.amount_cents < 0 ? 'bank.short' : 'bank.over'
  await post(tx, call.company.id, entry, [
    transferOf({ kind }, 'deposits_in_transit', 'bank_differences', row.amount_cents),
  ])
}

const ownExceptionCall = implement(ownException, (call) =>
  call.inCompany(async (tx) => {
    const { own, id } = call.body
    const row = await exceptionRows.lock(tx, call.company.id, id)
    if (row.status !== 'open') throw rejected(say`This exception is already resolved.`)
    const owner = own
      ? { owner_id: signedIn(call).personId, owner_name: callerName(call) }
      : { owner_id: null, owner_name: '' }
    await changeRow(tx, 'recon_exception', call.company.id, id, owner)
    await call.audit(tx, { action: 'reconciliation.owned', detail: { about: row.about, owner: owner.owner_name } })
    return {
      success: true as const,
      message: own ? say`The exception was assigned to you.` : say`The exception was unassigned.`,
    }
  }),
)

/** Reopens an exception and reverses the booking of its decision. Staff can then choose any way to resolve it. */
const transitionExceptionCall = implement(transitionException, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    await lockCompany(tx, company.id)
    const row = await exceptionRows.lock(tx, company.id, body.id)
    refuseStale(body.basis, { reason: row.reason }, () => DECIDED_OTHERWISE)
    const { message } = await reopen(tx, call, row)
    const lineId = numberIn(row.subject, 'bank_transaction')
    const line = lineId === null ? undefined : await lockLine(tx, company.id, lineId)
    if (!line || line.became === 'open') return { success: true as const, message }
    return { success: true as const, message: [message, await openLine(tx, call, line)].join(' ') }
  })
})

const DECIDED_OTHERWISE =
  'Someone else changed the resolution after you opened the page. Review the new resolution, then try again.'

/** Reopens an exception that a person resolved, and reverses its booked difference. */
async function reopen(tx: Tx, call: Call<{ reason: string }>, row: LockedException): Promise<{ message: string }> {
  const { company, context, body } = call
  const step = {
    scope: company.id,
    id: row.id,
    locked: lockedException(row),
    event: 'reopen' as const,
    actor: actorOf(call),
  }
  const moved = await transition(tx, exceptionStateStore, { ...step, reason: body.reason })
  const sourceRef = decisionRef('difference', row)
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(CASE debit_account WHEN 'bank_differences' THEN amount_cents ELSE -amount_cents END), 0)::bigint AS cents
    FROM ledger_transfer WHERE company_id = ${company.id} AND source = ${BANK} AND source_ref = ${sourceRef}`.execute(
    tx,
  )
  const booked = rows[0]?.cents ?? 0
  if (booked === 0) return moved
  await post(tx, company.id, { orderId: null, source: BANK, sourceRef, at: context.clock.now() }, [
    transferOf({ kind: 'bank.difference.undone' }, 'deposits_in_transit', 'bank_differences', booked),
  ])
  await changeRow(tx, 'recon_exception', company.id, row.id, { version: row.version + 1 })
  return moved
}

/**
 * Undoes the match of a bank line. Also reopens decisions about its payout, because they were based on the wrong match.
 * The caller must hold the lock on the company.
 */
async function openLine(tx: Tx, call: Call<{ reason: string }>, line: Line): Promise<string> {
  const { company, context, body } = call
  await undoLine(tx, company.id, line, context.clock.now())
  const about = line.description || line.reference
  await call.audit(tx, {
    action: 'reconciliation.line_opened',
    detail: { about, became: line.became, cents: line.amount_cents, reason: body.reason },
  })
  const subjects = [`bank_transaction ${line.id}`, ...(line.payout_id === null ? [] : [`payout ${line.payout_id}`])]
  const decided = await tx
    .selectFrom('recon_exception')
    .select('id')
    .where('company_id', '=', company.id)
    .where('subject', 'in', subjects)
    .where('kind', 'in', ['bank_unknown', 'deposit_differs', 'deposit_missing'])
    .where('status', '=', 'resolved')
    .orderBy('id')
    .execute()
  for (const { id } of decided) await reopen(tx, call, await exceptionRows.lock(tx, company.id, id))
  await updateExceptions(tx, context, company)
  const rule = await ruleFor(tx, company.id, line)
  return rule === undefined
    ? say`The match was undone. Any ledger entry from the match was reversed.`
    : say`The match was undone. Any ledger entry from the match was reversed. The rule “${rule}” still matches similar transactions. If the rule is wrong, remove it.`
}

type Line = NonNullable<Awaited<ReturnType<typeof lockLine>>>
const lockLine = (tx: Tx, company: CompanyId, id: number) => lockRow(tx, 'bank_transaction', company, id)

/** Finds the matching rule that applied to this line and returns its words. */
async function ruleFor(tx: Tx, company: CompanyId, line: Line): Promise<string | undefined> {
  const rules = await tx
    .selectFrom('bank_rule')
    .select(['match_text', 'became'])
    .where('company_id', '=', company)
    .where('comes_in', '=', line.amount_cents > 0)
    .execute()
  const lineText = `${line.reference} ${line.description}`.toUpperCase()
  return rules.find((rule) => rule.became === line.became && lineText.includes(rule.match_text.toUpperCase()))
    ?.match_text
}

const openBankLineCall = implement(openBankLine, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    await lockCompany(tx, company.id)
    const line = await lockLine(tx, company.id, body.id)
    if (!line) throw notFound('This bank transaction was not found.')
    refuseStale(body.basis, { became: line.became }, () => DECIDED_OTHERWISE)
    if (line.became === 'open')
      throw conflict('wrong_status', say`This bank transaction is already unmatched. Resolve its exception.`)
    return { success: true as const, message: await openLine(tx, call, line) }
  })
})

const checkReconciliationCall = implement(checkReconciliation, async (call) => {
  const { context, company } = call
  const end = performance.now() + SEARCH_MS
  const { silent } = await readPayouts(context, () => performance.now() < end, company.id)
  const { opened, cleared } = await call.inCompany((tx) => updateExceptions(tx, context, company))
  const message =
    opened + cleared === 0 ? say`No changes found.` : say`New exceptions: ${opened}. Cleared automatically: ${cleared}.`
  const names = await context.outside((tx) =>
    tx
      .selectFrom('processor')
      .select('name')
      .where('provider', 'in', ['', ...silent])
      .orderBy('name')
      .execute(),
  )
  const silence = names.map(
    ({ name }) => say`${name} is not responding. The portal will read new payouts when the provider responds again.`,
  )
  return { success: true as const, message: [message, ...silence].join(' '), opened, cleared }
})

const bankRulesCall = implement(bankRules, (call) =>
  call.reading(async (tx) => {
    const rows = await tx
      .selectFrom('bank_rule')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .orderBy('match_text')
      .orderBy('id')
      .execute()
    return {
      rules: rows.map(({ id, match_text: text, comes_in: comesIn, became, made_by: madeBy, made_at }) => ({
        ...{ id, text, comesIn, became, madeBy },
        madeAt: made_at.toISOString(),
      })),
      mayChange: may(signedIn(call).privileges, 'reconcile', 'update'),
    }
  }),
)

const removeBankRuleCall = implement(removeBankRule, (call) =>
  call.inCompany(async (tx) => {
    const gone = await tx
      .deleteFrom('bank_rule')
      .where('company_id', '=', call.company.id)
      .where('id', '=', call.body.id)
      .returning('match_text')
      .executeTakeFirst()
    if (!gone) throw notFound('This rule was not found.')
    await call.audit(tx, { action: 'reconciliation.rule_removed', detail: { text: gone.match_text } })
    return { success: true as const, message: say`The rule was removed. Its past matches will not change.` }
  }),
)

export const exceptionCalls = [
  showExceptionCall,
  resolveExceptionCall,
  ownExceptionCall,
  transitionExceptionCall,
  openBankLineCall,
  checkReconciliationCall,
  bankRulesCall,
  removeBankRuleCall,
]
