import type { RowOf } from '../../../shared/list.ts'
import type { State } from '../../../shared/machine.ts'
import { translated } from '../../../shared/messages.ts'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import type { paymentReport } from '../list.ts'
import { orderStates } from '../../payments/states.ts'

export type Payment = RowOf<typeof paymentReport>

const kinds: Readonly<Record<number, State>> = orderStates.states

export const PaymentBadge = ({
  payment: { status, paymentStatus },
}: {
  payment: Pick<Payment, 'status' | 'paymentStatus'>
}) => <StatusBadge kind={kinds[status]?.kind ?? 'neutral'}>{translated(paymentStatus)}</StatusBadge>
