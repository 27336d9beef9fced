import * as z from 'zod/mini'
import { basis, companyId, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { say } from '../../shared/messages.ts'
import { feeRule } from '../payments/contract.ts'

const audience = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience, privilege: ['fees', 'view'] }
const change: Access = { audience, privilege: ['fees', 'update'] }

const DAY = 'Choose the start date.'
const FEE = 'Enter a fee from $0.00 to $100.00.'
const fee = z.int({ error: 'Enter an amount, such as 2.95.' }).check(z.minimum(0, FEE), z.maximum(10_000, FEE))

/** A fee rule as typed. An empty scope field covers all values. `card` is a brand or a funding type. */
export const feeRuleForm = z
  .object({
    kind: z.string().check(z.maxLength(61)),
    method: z.enum(['1', '2']),
    channel: z.enum(['', 'online', 'phone', 'autopay']),
    card: z.enum(['', 'visa', 'mastercard', 'amex', 'discover', 'credit', 'debit']),
    validFrom: z.pipe(z.string().check(z.minLength(1, DAY)), isoDate),
    /** True if this rule ends the fee of its scope on the day in `validFrom`. The rules of a wider scope then apply. */
    ends: z.boolean(),
    program: z.enum(['convenience', 'service', 'none']),
    absorb: z.boolean(),
    /** True if the fee is charged separately from the bill. */
    separate: z.boolean(),
    bps: z
      .int({ error: 'Enter a percentage, such as 2.75.' })
      .check(z.minimum(0, 'Enter a percentage from 0 to 20.'), z.maximum(2000, 'Enter a percentage from 0 to 20.')),
    recovers: z.boolean(),
    fixedCents: fee,
    minCents: fee,
    maxCents: fee,
  })
  .check(
    z.refine((rule) => rule.maxCents >= rule.minCents, {
      error: 'The maximum fee must not be lower than the minimum fee.',
      path: ['maxCents'],
    }),
    z.refine((rule) => rule.method === '1' || rule.bps === 0, {
      error: 'An eCheck fee is a flat amount. Leave the percentage at 0.',
      path: ['bps'],
    }),
    z.refine((rule) => rule.method === '1' || rule.card === '', {
      error: 'Card types do not apply to eChecks. Choose “All cards”.',
      path: ['card'],
    }),
    z.refine((rule) => !rule.separate || rule.method === '1', {
      error: 'An eCheck fee is part of the same debit as the bill. Charge both together.',
      path: ['separate'],
    }),
    z.refine((rule) => !rule.separate || rule.program === 'service', {
      error: 'Only a service fee can be charged separately. Charge the fee with the bill, or choose a service fee.',
      path: ['separate'],
    }),
    z.refine((rule) => !rule.separate || !rule.absorb, {
      error: 'Payers do not pay an absorbed fee, so you cannot charge the fee separately.',
      path: ['separate'],
    }),
    z.refine((rule) => rule.ends || rule.program === 'none' || rule.bps + rule.fixedCents + rule.minCents > 0, {
      error: () => say`Enter a fee amount, or choose “No fee”.`,
      path: ['fixedCents'],
    }),
    z.refine((rule) => rule.ends || rule.program === 'none' || rule.maxCents > 0, {
      error: () => say`Enter a maximum fee.`,
      path: ['maxCents'],
    }),
  )
export type FeeRuleForm = z.output<typeof feeRuleForm>

const networkRule = z.object({
  id: z.string(),
  network: z.enum(['visa', 'mastercard', 'amex', 'discover']),
  program: z.enum(['convenience', 'service']),
  demand: z.enum(['flat', 'single', 'separate', 'not_in', 'only_for', 'all_cards', 'no_program']),
  funding: z.nullable(z.enum(['credit', 'debit'])),
  channels: z.array(z.string()),
  kinds: z.array(z.string()),
  validFrom: z.string(),
  validTo: z.nullable(z.string()),
  text: z.string(),
  source: z.string(),
  basis: z.enum(['published', 'reading']),
})

/** Returns all fee data: the company's rules by date, and the current network rules. */
export const feeBook = endpoint({
  path: 'muni/return/fee/book',
  summary: "Returns the company's fee rules, network rules and item kinds",
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    today: z.string(),
    rules: z.array(feeRule),
    networks: z.array(networkRule),
    kinds: z.array(z.object({ kind: z.string(), label: z.string() })),
  }),
})

/** Returns one rule for its form, and whether it can still be changed. */
export const oneFeeRule = endpoint({
  path: 'muni/return/fee/rule',
  summary: 'Returns a fee rule of the company',
  access: viewAccess,
  body: z.object({ companyId, ruleId: rowId }),
  response: z.object({ form: feeRuleForm, isAhead: z.boolean() }),
})

export const saveFeeRule = formCall({
  path: 'muni/save/fee/rule',
  summary: 'Creates a fee rule or changes a future one',
  access: change,
  body: z.object({ companyId, ruleId: z.nullable(rowId), form: feeRuleForm, basis }),
})

export const removeFeeRule = formCall({
  path: 'muni/remove/fee/rule',
  summary: 'Removes a future fee rule',
  access: change,
  body: z.object({ companyId, ruleId: rowId }),
})
