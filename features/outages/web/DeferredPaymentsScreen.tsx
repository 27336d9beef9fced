import { go, setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { deferredPayments } from '../list.ts'
import { deferredPaymentStates } from '../states.ts'
import { ChosenPayment } from '../../../web/municipality/ChosenPayment.tsx'

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

/** Opens the payment, or the outage if no payment exists. */
const view = ({ paymentId, outageId }: { paymentId: number | null; outageId: number }) =>
  paymentId === null ? go(`/municipality/reports/payment-outages?outage=${outageId}`) : open(paymentId)

/** List of deferred payments with their outcomes. */
export default function DeferredPaymentsScreen() {
  const chosen = Number(useQueryParam('payment')) || null
  return (
    <>
      <ListScreen
        of={deferredPayments}
        rowName={({ reference }) => reference}
        cells={{ status: ({ status }) => <StateBadge of={deferredPaymentStates} state={status} /> }}
        actions={{ view }}
        onRow={view}
      />
      {chosen !== null && <ChosenPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}
