import { Trans } from '@lingui/react/macro'
import { CircleCheck, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { QueryItem } from '../../../web/query-item.tsx'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { checkReconciliation } from '../contract.ts'
import { exceptions } from '../list.ts'
import { exceptionStates } from '../states.ts'
import { ExceptionSlideOut } from './ExceptionSlideOut.tsx'
import { refreshReconciliation } from './fresh.ts'

const open = ({ id }: { id: number }) => setQuery({ exception: String(id) })

/** Screen with the differences between the bills and the bank. */
export default function ExceptionsScreen() {
  return (
    <>
      <ListScreen
        of={exceptions}
        rowName={({ about }) => about}
        cells={{
          about: ({ about }) => <strong>{about}</strong>,
          status: ({ status }) => <StateBadge of={exceptionStates} state={status} />,
          age: ({ status }, days) => (status === 'open' ? days : '–'),
        }}
        actions={{ view: open }}
        onRow={open}
        headActions={<Recheck />}
        empty={
          <EmptyState icon={CircleCheck} title={<Trans>No exceptions</Trans>}>
            <Trans>
              Differences between bills, ledger, payment provider and bank appear here until someone resolves them.
            </Trans>
          </EmptyState>
        }
      />
      <QueryItem name="exception">{(id, close) => <ExceptionSlideOut id={id} onClose={close} />}</QueryItem>
    </>
  )
}

/** Button that reads new payouts and searches for differences now, without waiting for the jobs. */
export function Recheck() {
  const [isBusy, setBusy] = useState(false)
  if (!may('reconcile', 'update')) return null
  const runReconciliation = async () => {
    setBusy(true)
    try {
      toast((await call(checkReconciliation, {})).message)
      await refreshReconciliation()
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={RefreshCw} busy={isBusy} onClick={() => void runReconciliation()}>
      <Trans>Check again</Trans>
    </Button>
  )
}
