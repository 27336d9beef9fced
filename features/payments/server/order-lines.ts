import type { InsertQueryBuilder, InsertResult } from 'kysely'
import type { PayableRef } from '../../../server/db/column-types.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { addQuotes, type AmountDue, owedInAll, type PayType, payTypeOf, type Quote } from '../rules.ts'
import { type FeeBook, type FeeCase, type FeeTerms, feeTermsFor, quoteBy } from '../rules-fees.ts'
import type { OrderLine } from './orders.ts'
import type { Description } from './payable.ts'
import { inLockOrder, payableOf } from './payables.ts'

/** A thing that somebody wants to pay, as it stands: what can be paid of it now, and what is said of it. */
export interface OrderLineInput extends PayableRef, AmountDue {
  description: Description
}

/** Locks them all, so that what is owed cannot be paid twice. */
export async function lockPayables(tx: Tx, company: CompanyId, refs: readonly PayableRef[], now: Date): Promise<void> {
  for (const { kind, id } of inLockOrder(refs))
    if (!(await payableOf(kind).lock(tx, company, id, now))) throw notFound()
}

/** How each of them stands, with what else is known of it. */
export const lookAt = <Ref extends PayableRef>(
  tx: Tx,
  company: CompanyId,
  refs: readonly Ref[],
): Promise<(Ref & OrderLineInput)[]> =>
  Promise.all(
    refs.map(async (ref) => {
      const payable = payableOf(ref.kind)
      const [owed, description] = await Promise.all([
        payable.owed(tx, company, ref.id),
        payable.describe(tx, company, ref.id),
      ])
      const closed = Boolean(description.shown.closed)
      const owedCents = owed.owedCents - owed.pendingCents
      return {
        ...ref,
        description,
        takesCredit: payable.takesCredit && !closed,
        inFull: owed.inFull ?? false,
        owedCents: closed ? Math.min(owedCents, 0) : owedCents,
      }
    }),
  )

export type NewLine = Omit<OrderLine, 'company_id' | 'order_id' | 'settled_cents'>

/** What is frozen on a new order: its lines, each with its own fee, and what they cost together. */
export interface Bill {
  lines: readonly NewLine[]
  quote: Quote
  payType: PayType
  /** By which each line was charged: frozen on the order, so that it says the same for good. */
  terms: readonly FeeTerms[]
}

/** By what fees are told apart that are the same for all lines of a payment: the day, where and with which card. */
export type Paying = Omit<FeeCase, 'kind'>

/** What fee rules call a thing. */
export const feeKindOf = ({ kind, description: { feeGroup } }: Pick<OrderLineInput, 'kind' | 'description'>): string =>
  feeGroup === undefined ? kind : `${kind}/${feeGroup}`

/** The bill for so much of each. What gets nothing has no line. */
export function billFor(
  wanted: readonly OrderLineInput[],
  amounts: readonly number[],
  paying: Paying,
  fees: FeeBook,
): Bill {
  const paid = wanted.flatMap((one, n) => ((amounts[n] ?? 0) > 0 ? [{ ...one, cents: amounts[n] ?? 0 }] : []))
  const part = paid.find(({ inFull, cents, owedCents }) => inFull && cents < owedCents)
  if (part) throw rejected(say`${part.description.title} is paid whole or not at all: ${formatCents(part.owedCents)}.`)
  const terms = paid.map((one) => feeTermsFor(fees, { ...paying, kind: feeKindOf(one) }))
  const quotes = paid.map(({ cents }, n) => quoteBy(terms[n] as FeeTerms, cents))
  const lines = paid.map(({ kind, id, cents, owedCents, description }, n) => ({
    line_no: n + 1,
    kind,
    payable_id: id,
    amount_cents: cents,
    fee_cents: quotes[n]?.feeCents ?? 0,
    absorbed_fee_cents: quotes[n]?.absorbedFeeCents ?? 0,
    gl_account: description.glAccount,
    fee_program: terms[n]?.program ?? 'none',
    fee_mode: terms[n]?.mode ?? 'single',
    title: description.title,
    facts: description.facts,
    items: cents === owedCents && sumOf(description.items) === cents ? description.items : [],
    owed_before_cents: owedCents,
  }))
  const quote = addQuotes(quotes)
  return { lines, quote, terms, payType: payTypeOf(quote.billCents, owedInAll(wanted)) }
}

const sumOf = (items: Description['items']): number => items.reduce((sum, { amountCents }) => sum + amountCents, 0)

export const insertLines = (
  tx: Tx,
  lines: readonly OrderLine[],
): InsertQueryBuilder<Schema, 'payment_order_line', InsertResult> =>
  tx
    .insertInto('payment_order_line')
    .values(lines.map((line) => ({ ...line, facts: JSON.stringify(line.facts), items: JSON.stringify(line.items) })))

/** Do these lines say the same of the same things? What is written of a line is never changed. */
export const areSame = (written: readonly NewLine[], lines: readonly NewLine[]): boolean =>
  written.length === lines.length && written.every((line, n) => textOf(line) === textOf(lines[n]))

const textOf = (line: NewLine | undefined): string =>
  JSON.stringify([
    ...[line?.kind, line?.payable_id, line?.amount_cents, line?.fee_cents, line?.fee_mode, line?.owed_before_cents],
    ...(line?.facts.map(({ name, value }) => [name, value]) ?? []),
  ])
