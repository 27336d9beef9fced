import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { refundStates } from '../../payments/states.ts'
import { refundList } from '../list.ts'
import { ChosenPayment } from '../../../web/municipality/ChosenPayment.tsx'

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

/** Refunds of payments, including those that wait for an approver. */
export default function RefundsScreen() {
  const chosen = Number(useQueryParam('payment')) || null
  return (
    <>
      <ListScreen
        of={refundList}
        rowName={({ receipt }) => receipt}
        cells={{ status: ({ status }) => <StateBadge of={refundStates} state={status} /> }}
        actions={{ view: ({ paymentId }) => open(paymentId) }}
        onRow={({ paymentId }) => open(paymentId)}
      />
      {chosen !== null && <ChosenPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}
