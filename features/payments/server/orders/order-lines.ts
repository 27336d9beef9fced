import type { InsertQueryBuilder, InsertResult } from 'kysely'
import type { PayableRef } from '../../../../server/db/column-types.ts'
import type { Schema } from '../../../../server/db/schema.ts'
import { notFound, rejected } from '../../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import { addQuotes, type AmountDue, owedInAll, type PayType, payTypeOf, type Quote } from '../../rules.ts'
import { type FeeBook, type FeeCase, type FeeTerms, feeTermsFor, quoteBy } from '../../rules-fees.ts'
import type { OrderLine } from './orders.ts'
import { type Description, inLockOrder, payableOf } from './payable.ts'

/** Item to pay, with its current amount due and description. */
export interface OrderLineInput extends PayableRef, AmountDue {
  description: Description
}

/** Locks all items to pay, so that no amount is paid twice. */
export async function lockPayables(tx: Tx, company: CompanyId, refs: readonly PayableRef[], now: Date): Promise<void> {
  for (const { kind, id } of inLockOrder(refs))
    if (!(await payableOf(kind).lock(tx, company, id, now))) throw notFound()
}

/** Loads the amount due and the description of each item. */
export const loadOwed = <Ref extends PayableRef>(
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
      const closed = Boolean(description.publicView.closed)
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

/** Content of a new order: its lines with their fees, and the total. The content never changes. */
export interface Bill {
  lines: readonly NewLine[]
  quote: Quote
  payType: PayType
  /** Fee terms of each line, stored with the order so that they never change. */
  terms: readonly FeeTerms[]
}

/** Data that determines the fees of all lines: the day, the location and the card. */
export type Paying = Omit<FeeCase, 'kind'>

/** Returns the name that fee rules use for an item. */
export const feeKindOf = ({ kind, description: { feeGroup } }: Pick<OrderLineInput, 'kind' | 'description'>): string =>
  feeGroup === undefined ? kind : `${kind}/${feeGroup}`

/** Builds the bill for these amounts. An item with an amount of 0 gets no line. */
export function billFor(
  wanted: readonly OrderLineInput[],
  amounts: readonly number[],
  paying: Paying,
  fees: FeeBook,
): Bill {
  const paid = wanted.flatMap((one, n) => ((amounts[n] ?? 0) > 0 ? [{ ...one, cents: amounts[n] ?? 0 }] : []))
  const part = paid.find(({ inFull, cents, owedCents }) => inFull && cents < owedCents)
  if (part) throw rejected(say`${part.description.title} must be paid in full: ${formatCents(part.owedCents)}.`)
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
    details: description.details,
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
    .values(
      lines.map((line) => ({ ...line, details: JSON.stringify(line.details), items: JSON.stringify(line.items) })),
    )

/** Returns true if both lists describe the same lines. The content of a saved line never changes. */
export const areSame = (written: readonly NewLine[], lines: readonly NewLine[]): boolean =>
  written.length === lines.length && written.every((line, n) => textOf(line) === textOf(lines[n]))

const textOf = (line: NewLine | undefined): string =>
  JSON.stringify([
    ...[line?.kind, line?.payable_id, line?.amount_cents, line?.fee_cents, line?.fee_mode, line?.owed_before_cents],
    ...(line?.details.map(({ name, value }) => [name, value]) ?? []),
  ])
