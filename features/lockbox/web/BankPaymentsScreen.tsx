import { Trans } from '@lingui/react/macro'
import { Landmark, Upload } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { lockboxPayments } from '../list.ts'
import { lockboxStates } from '../states.ts'
import { BankPayment } from './BankPayment.tsx'
import { TakeFile } from './TakeFile.tsx'

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

/** Lockbox payments, including unmatched ones that need review. */
export default function BankPaymentsScreen() {
  const mayTake = may('payments', 'create')
  const taking = useQueryParam('take') !== null && mayTake
  const chosen = Number(useQueryParam('payment')) || null
  const take = mayTake && (
    <Button variant="primary" icon={Upload} onClick={() => setQuery({ take: '1' })}>
      <Trans>Import file</Trans>
    </Button>
  )
  return (
    <>
      <ListScreen
        of={lockboxPayments}
        rowName={({ trace }) => trace}
        headActions={take}
        cells={{ state: ({ state }) => <StateBadge of={lockboxStates} state={state} /> }}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
        empty={
          <EmptyState icon={Landmark} title={<Trans>No lockbox payments yet</Trans>} action={take}>
            <Trans>
              Your bank’s lockbox or bill pay service sends a CSV file with account, name, amount, date and trace
              number. Import that file here.
            </Trans>
          </EmptyState>
        }
      />
      {taking && <TakeFile onClose={() => setQuery({ take: null })} />}
      {chosen !== null && <BankPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}
