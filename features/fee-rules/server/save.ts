import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Call, callerName, implement } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { say } from '../../../shared/messages.ts'
import { type Brand, breaches, type FeeRule, type Funding } from '../../payments/rules-fees.ts'
import { columnsOf, FIRST_DAY, writeFeeRules } from '../../payments/api.ts'
import { type FeeRuleForm, oneFeeRule, removeFeeRule, saveFeeRule } from '../contract.ts'
import { feeKinds, networkRules } from './book.ts'
import { methods } from '../../payments/rules.ts'

const rules = rowFinderById('fee_rule', () => notFound('This fee rule was not found. Reload the page.'))

defineUnique({
  index: 'fee_rule_once_a_day',
  field: 'validFrom',
  message: 'A rule for the same payments already starts on this day. Choose another day, or change that rule.',
})

type Row = Selectable<Schema['fee_rule']>

const formOf = (row: Row): FeeRuleForm => ({
  ...{
    kind: row.kind ?? '',
    method: row.method === methods.card ? '1' : '2',
    channel: row.channel === 'office' ? '' : (row.channel ?? ''),
  },
  ...{ card: row.brand ?? row.funding ?? '', validFrom: row.valid_from, ends: row.ends, program: row.program },
  ...{
    absorb: row.absorb === 1,
    separate: row.mode === 'two_transactions',
    bps: row.bps,
    recovers: row.recovers,
    fixedCents: row.fixed_cents,
  },
  ...{ minCents: row.min_cents, maxCents: row.max_cents },
})

function ruleOf({ kind, method, channel, card, absorb, separate, ...rest }: FeeRuleForm): FeeRule {
  const isFunding = card === 'credit' || card === 'debit'
  return {
    ...rest,
    kind: kind || null,
    method: method === '1' ? 1 : 2,
    channel: channel || null,
    brand: card === '' || isFunding ? null : (card as Brand),
    funding: isFunding ? (card as Funding) : null,
    mode: separate && !rest.ends ? 'two_transactions' : 'single',
    absorb: absorb ? 1 : 0,
  }
}

const todayOf = ({ company, context }: Call): string => dateIn(company.timeZone, context.clock.now())

/** Form field for each property that a network rule may forbid. */
const FIELD = {
  ...{ bps: 'bps', mode: 'separate', channel: 'channel', kind: 'kind', brand: 'card', funding: 'card' },
  program: 'program',
} as const

/**
 * @throws 422 if the day is in the past, the kind is unknown, or a card network forbids the rule. The error names the
 * network rule
 */
async function validate(tx: Tx, rule: FeeRule, today: string): Promise<void> {
  const errors: Record<string, string> = {}
  if (rule.validFrom < today)
    errors['validFrom'] = say`The start date cannot be in the past. Choose today or a later date.`
  if (rule.kind !== null && !feeKinds().some(({ kind }) => kind === rule.kind))
    errors['kind'] = say`Choose the items to pay.`
  for (const { field, rule: network } of breaches(rule, await networkRules(tx))) errors[FIELD[field]] ??= network.text
  const [first] = Object.values(errors)
  if (first !== undefined) throw rejected(first, errors)
}

/** Locks the company's fees, so that concurrent changes run one at a time. */
const lockFees = (tx: Tx, { company }: Call) =>
  sql`SELECT FROM payment_settings WHERE company_id = ${company.id} FOR UPDATE`.execute(tx)

const refuseInForce = (row: Row, today: string) => {
  if (row.valid_from > today) return
  throw conflict(
    'in_force',
    row.valid_from === FIRST_DAY
      ? say`This rule has been in effect from the start, so you cannot change it. Add a rule with a later start date.`
      : say`This rule has been in effect since ${formatDate(row.valid_from)}, so you cannot change it. Add a rule with a later start date.`,
  )
}

export const oneFeeRuleCall = implement(oneFeeRule, (call) =>
  call.reading(async (tx) => {
    const row = await rules.find(tx, call.company.id, call.body.ruleId)
    return { form: formOf(row), isAhead: row.valid_from > todayOf(call) }
  }),
)

export const saveFeeRuleCall = implement(saveFeeRule, (call) => {
  const { ruleId, form: own, basis } = call.body
  const company = call.company.id
  const today = todayOf(call)
  return call.inCompany(async (tx) => {
    await lockFees(tx, call)
    if (ruleId === null) {
      const rule = ruleOf(own)
      await validate(tx, rule, today)
      const made = { at: call.context.clock.now(), by: callerName(call) }
      const [id = 0] = await writeFeeRules(tx, company, [rule], made)
      await call.audit(tx, { action: 'fee_rule.added', subject: { kind: 'fee_rule', id }, detail: { rule: own } })
      return {
        success: true as const,
        message: say`The rule was saved. It takes effect on ${formatDate(rule.validFrom)}.`,
      }
    }
    const row = await rules.lock(tx, company, ruleId)
    refuseInForce(row, today)
    const before = formOf(row)
    const edit = editBy(tx, call, `fee_rule ${ruleId}`)
    const after = await mergeEdit<FeeRuleForm>(edit, { basis, own, now: { ...before } })
    if (!same(before, after)) {
      const rule = ruleOf(after)
      await validate(tx, rule, today)
      await changeRow(tx, 'fee_rule', company, ruleId, columnsOf(rule))
      await recordChanges(edit, { ...before }, { ...after })
      const subject = { kind: 'fee_rule', id: ruleId } as const
      await call.audit(tx, { action: 'fee_rule.changed', subject, detail: { before, after } })
    }
    return {
      success: true as const,
      message: say`The rule was saved. It takes effect on ${formatDate(after.validFrom)}.`,
    }
  })
})

export const removeFeeRuleCall = implement(removeFeeRule, (call) => {
  const { ruleId } = call.body
  return call.inCompany(async (tx) => {
    await lockFees(tx, call)
    const row = await rules.lock(tx, call.company.id, ruleId)
    refuseInForce(row, todayOf(call))
    await tx.deleteFrom('fee_rule').where('company_id', '=', call.company.id).where('id', '=', ruleId).execute()
    const subject = { kind: 'fee_rule', id: ruleId } as const
    await call.audit(tx, { action: 'fee_rule.removed', subject, detail: { rule: formOf(row) } })
    return { success: true as const, message: say`The rule was removed before its start date.` }
  })
})
