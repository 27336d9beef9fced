import type { PayableRef } from '../../../server/db/column-types.ts'
import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type FeeRules, type Owing, payTypes, type PayType } from '../rules.ts'
import type { OrderLine } from './orders.ts'
import type { Description } from './payable.ts'
import { inLockOrder, payableOf } from './payables.ts'

/** A thing of a checkout, as it stands: what can be paid of it now, and what is said of it. */
export interface Wanted extends Owing {
  kind: string
  id: number
  description: Description
}

/** Locks them all, so that what is owed cannot be paid twice. */
export async function lockPayables(tx: Tx, company: CompanyId, refs: readonly PayableRef[]): Promise<void> {
  for (const { kind, id } of inLockOrder(refs)) if (!(await payableOf(kind).lock(tx, company, id))) throw notFound()
}

export const lookAt = (tx: Tx, company: CompanyId, refs: readonly PayableRef[]): Promise<Wanted[]> =>
  Promise.all(
    refs.map(async ({ kind, id }) => {
      const payable = payableOf(kind)
      const [owed, description] = await Promise.all([payable.owed(tx, company, id), payable.describe(tx, company, id)])
      const { takesCredit } = payable
      return { kind, id, takesCredit, description, owedCents: owed.owedCents - owed.pendingCents }
    }),
  )

export type NewLine = Omit<OrderLine, 'company_id' | 'order_id' | 'settled_cents'>

/** The lines of an order that pays so much of each. What gets nothing has no line. */
export function linesOf(
  wanted: readonly Wanted[],
  amounts: readonly number[],
  payType: PayType,
  { program }: Pick<FeeRules, 'program'>,
): NewLine[] {
  return wanted
    .map(({ kind, id, owedCents, description }, n) => ({
      line_no: n + 1,
      kind,
      payable_id: id,
      amount_cents: amounts[n] ?? 0,
      gl_account: description.glAccount,
      fee_program: program,
      title: description.title,
      facts: description.facts,
      items: payType === payTypes.full && sumOf(description.items) === amounts[n] ? description.items : [],
      owed_before_cents: owedCents,
    }))
    .filter(({ amount_cents }) => amount_cents > 0)
}

const sumOf = (items: Description['items']): number => items.reduce((sum, { amountCents }) => sum + amountCents, 0)

export const insertLines = (tx: Tx, company: CompanyId, orderId: number, lines: readonly NewLine[]): Promise<unknown> =>
  tx
    .insertInto('payment_order_line')
    .values(
      lines.map((line) => ({
        ...line,
        company_id: company,
        order_id: orderId,
        facts: JSON.stringify(line.facts),
        items: JSON.stringify(line.items),
      })),
    )
    .execute()

/** Do these lines say the same of the same things? What is written of a line is never changed. */
export const areSame = (written: readonly NewLine[], lines: readonly NewLine[]): boolean =>
  written.length === lines.length && written.every((line, n) => textOf(line) === textOf(lines[n]))

const textOf = (line: NewLine | undefined): string =>
  JSON.stringify([
    ...[line?.kind, line?.payable_id, line?.amount_cents, line?.owed_before_cents],
    ...(line?.facts.map(({ name, value }) => [name, value]) ?? []),
  ])
