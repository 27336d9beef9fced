import type pg from 'pg'
import { type FeeRule, feeTermsFor, quoteBy } from '../features/payments/rules-fees.ts'
import { addQuotes, type Method, methods, type OfficeMethod, type Quote } from '../features/payments/rules.ts'
import { ruleOf } from '../features/payments/server/fee-rules.ts'

/** Fee rules of a company in most tests: one for cards and one for eChecks. They apply to all payments. */
export interface FeeRules {
  program: 'convenience' | 'service' | 'none'
  absorb: 0 | 1
  cardBps: number
  cardFixedCents: number
  cardMinCents: number
  cardMaxCents: number
  echeckCents: number
}

const bookOf = ({ program, absorb, ...rules }: FeeRules): FeeRule[] => [
  ruleOf({
    ...{ program, absorb, bps: rules.cardBps, fixedCents: rules.cardFixedCents },
    ...{ minCents: rules.cardMinCents, maxCents: rules.cardMaxCents },
  }),
  ruleOf({ method: methods.echeck, program, absorb, fixedCents: rules.echeckCents, maxCents: 10_000 }),
]

/** Quotes the fee for an online payment of this amount. */
export const quoteOf = (rules: FeeRules, method: Method | OfficeMethod, billCents: number): Quote =>
  quoteBy(feeTermsFor(bookOf(rules), { on: '2026-01-01', kind: 'any', method, location: 1 }), billCents)

/** Quotes the fee for a payment with one line for each amount. An amount of zero has no line and no fee. */
export const quoteOfLines = (rules: FeeRules, method: Method, amounts: readonly number[]): Quote =>
  addQuotes(amounts.filter((cents) => cents > 0).map((cents) => quoteOf(rules, method, cents)))

/** Changes the fee rules of all companies for all dates, which no company can do in the portal. */
export const setFees = ({ owner }: { owner: pg.Pool }, rules: Partial<FeeRules>) =>
  owner.query(
    `UPDATE fee_rule SET program = coalesce($1, program), absorb = coalesce($2, absorb),
       bps = CASE method WHEN 1 THEN coalesce($3, bps) ELSE 0 END,
       fixed_cents = coalesce(CASE method WHEN 1 THEN $4::int ELSE $7::int END, fixed_cents),
       min_cents = CASE method WHEN 1 THEN coalesce($5, min_cents) ELSE min_cents END,
       max_cents = CASE method WHEN 1 THEN coalesce($6, max_cents) ELSE max_cents END`,
    [
      ...[rules.program, rules.absorb, rules.cardBps, rules.cardFixedCents, rules.cardMinCents, rules.cardMaxCents],
      rules.echeckCents,
    ],
  )
