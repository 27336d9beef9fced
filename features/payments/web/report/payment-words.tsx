import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { StatusBadge, type StatusKind } from '../../../../web/ui/StatusBadge.tsx'
import type { paymentReport } from '../../contract.ts'
import { orderStatus } from '../../rules.ts'

export type Payment = AnswerOf<typeof paymentReport>['rows'][number]

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
