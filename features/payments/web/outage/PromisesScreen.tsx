import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { promisedPayments } from '../../list-outage.ts'
import { promiseStates } from '../../states-outage.ts'
import { ChosenPayment } from '../report/ChosenPayment.tsx'

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

/** What people asked to be done once payments work again, and what became of it. */
export default function PromisesScreen() {
  const chosen = Number(useQueryParam('payment')) || null
  return (
    <>
      <ListScreen
        of={promisedPayments}
        rowName={({ reference }) => reference}
        cells={{ status: ({ status }) => <StateBadge of={promiseStates} state={status} /> }}
        actions={{ view: ({ paymentId }) => open(paymentId) }}
        onRow={({ paymentId }) => paymentId !== null && open(paymentId)}
      />
      {chosen !== null && <ChosenPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}
