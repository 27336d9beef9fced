import type { AnswerOf } from '../../../../shared/endpoint.ts'
import type { State } from '../../../../shared/machine.ts'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import type { paymentReport } from '../../contract.ts'
import { orderStates } from '../../states.ts'

export type Payment = AnswerOf<typeof paymentReport>['rows'][number]

const kinds: Readonly<Record<number, State>> = orderStates.states

export const PaymentBadge = ({
  payment: { status, paymentStatus },
}: {
  payment: Pick<Payment, 'status' | 'paymentStatus'>
}) => <StatusBadge kind={kinds[status]?.kind ?? 'neutral'}>{paymentStatus}</StatusBadge>
