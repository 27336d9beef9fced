import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn, midnightIn } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { separateFeeCentsOf, factLabels, netOf } from '../../payments/rules.ts'
import { retainedOf, movedIn, type OrderMovement, movedOf, type PaidOrder, paidOrders } from '../../payments/api.ts'
import type { paidInYear } from '../contract.ts'
import { sumOf } from '../rules.ts'

export type PaidInYearResponse = ResponseOf<typeof paidInYear>
type PaidItem = PaidInYearResponse['items'][number]

interface StatementQuery {
  company: Pick<Company, 'id' | 'timeZone'>
  person: number
  year: number
}

type Payment = PaidOrder & { moved: OrderMovement[] }

/**
 * Loads the payments that a resident made in one year, in the company's time zone. Groups the payment lines by item.
 * Each line has its current net amount.
 */
export async function paidOf(
  tx: Tx,
  { company, person, year }: StatementQuery,
): Promise<Omit<PaidInYearResponse, 'year' | 'years' | 'payer'>> {
  const payments: Payment[] = await paidOrders(tx, company.id)
    .select(movedOf(company.id, sql`o.id`).as('moved'))
    .where('o.person_id', '=', person)
    .where('o.paid_at', '>=', midnightIn(company.timeZone, `${year}-01-01`))
    .where('o.paid_at', '<', midnightIn(company.timeZone, `${year + 1}-01-01`))
    .orderBy('o.paid_at')
    .orderBy('o.id')
    .execute()
  const lines = payments.flatMap((payment) => linesOf(payment, company.timeZone))
  const paidLines = lines.filter(({ line }) => line.amountCents + line.feeCents > 0)
  const byItem = [...Map.groupBy(paidLines, ({ key }) => key).values()].map(itemOf)
  const [often, once] = [byItem.filter(({ lines: some }) => some.length > 1), byItem.filter((one) => !one.lines[1])]
  // Groups items with only one payment by title. These groups follow the items with several payments.
  const byTitle = [...Map.groupBy(once, ({ title }) => title).values()].map(togetherOf)
  const ordered = (some: PaidItem[]) =>
    some.toSorted((a, b) => a.title.localeCompare(b.title) || a.reference.localeCompare(b.reference))
  const items = [...ordered(often), ...ordered(byTitle)]
  return {
    items,
    amountCents: sumOf(items, ({ amountCents }) => amountCents),
    feeCents: sumOf(items, ({ feeCents }) => feeCents),
    refunded: payments.filter(({ moved }) => netOf(movedIn('bill', moved)) <= 0).length,
    disputed: payments.filter((payment) => payment.dispute_open).length,
  }
}

interface PaidLine {
  key: string
  title: string
  reference: string
  line: PaidItem['lines'][number]
}

/** Calculates the net amount of each line of a payment. */
function linesOf({ moved, ...order }: Payment, timeZone: string): PaidLine[] {
  const shares = retainedOf({ order, moved })
  const feePaid = order.fee === null || order.fee.status === 'charged'
  return order.lines.map(({ kind, payable_id: id, title, details: [fact], ...line }, n) => {
    const { billCents = 0, feeCents = 0 } = shares[n] ?? {}
    return {
      key: `${kind} ${id}`,
      title: translated(title),
      reference: fact ? `${translated(factLabels[fact.name] ?? fact.name)} ${fact.value}` : '',
      line: {
        paymentId: order.id,
        day: dateIn(timeZone, order.paid_at ?? order.created_at),
        reference: '',
        method: order.method,
        ...{ amountCents: billCents, feeCents },
        // A separate fee that was never charged does not count as refunded.
        refundCents:
          line.amount_cents + line.fee_cents - (feePaid ? 0 : separateFeeCentsOf([line])) - billCents - feeCents,
      },
    }
  })
}

function itemOf(paidLines: readonly PaidLine[]): PaidItem {
  const lines = paidLines.map(({ line }) => line)
  const last = paidLines.at(-1)
  return {
    ...{ title: last?.title ?? '', reference: last?.reference ?? '', lines },
    amountCents: sumOf(lines, ({ amountCents }) => amountCents),
    feeCents: sumOf(lines, ({ feeCents }) => feeCents),
  }
}

/** Combines items with the same title and only one payment each. Each line keeps its own reference. */
function togetherOf(items: readonly PaidItem[]): PaidItem {
  const [first, ...others] = items as [PaidItem, ...PaidItem[]]
  if (others.length === 0) return first
  return {
    ...{ title: first.title, reference: '' },
    lines: items
      .flatMap(({ reference, lines }) => lines.map((line) => ({ ...line, reference })))
      .toSorted((a, b) => a.day.localeCompare(b.day)),
    amountCents: sumOf(items, ({ amountCents }) => amountCents),
    feeCents: sumOf(items, ({ feeCents }) => feeCents),
  }
}
