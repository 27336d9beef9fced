import { dateIn, formatShortDate } from '../../../../shared/dates.ts'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { boot } from '../../../../web/boot.ts'
import { StatusBadge, type StatusKind } from '../../../../web/ui/StatusBadge.tsx'
import type { paymentReport } from '../../contract.ts'
import { orderStatus } from '../../rules.ts'

export type Payment = AnswerOf<typeof paymentReport>['rows'][number]

const timeZone = boot.company?.timeZone ?? 'UTC'

const short = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' })

/** An instant on the town's clocks, as short as a table wants it: `Nov 20, 2026, 4:12 PM`. */
export const shortInstant = (instant: string): string => short.format(new Date(instant)).replaceAll('\u202f', ' ')

/** Its day in the town: `Nov 20, 2026`. */
export const shortDay = (instant: string): string => formatShortDate(dateIn(timeZone, new Date(instant)))

const kinds: Record<number, StatusKind> = {
  [orderStatus.pending]: 'waiting',
  [orderStatus.success]: 'good',
  [orderStatus.declined]: 'bad',
  [orderStatus.refund]: 'undone',
  [orderStatus.void]: 'undone',
}

export const PaymentBadge = ({
  payment: { status, paymentStatus },
}: {
  payment: Pick<Payment, 'status' | 'paymentStatus'>
}) => <StatusBadge kind={kinds[status] ?? 'neutral'}>{paymentStatus}</StatusBadge>
