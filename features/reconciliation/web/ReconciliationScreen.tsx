import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck } from 'lucide-react'
import { call, messageOf } from '../../../web/call.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { tryEvent } from '../contract.ts'
import { waitingEvents } from '../list.ts'

/** Provider events that could not be applied, for a person to review. */
export default function ReconciliationScreen() {
  const { t } = useLingui()
  const repeat = async ({ id }: { id: number }) => {
    try {
      const { success, error } = await call(tryEvent, { eventId: id })
      toast(
        success ? t`It was written down.` : t`It still cannot be written down: ${error}`,
        success ? 'success' : 'danger',
      )
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await reload(waitingEvents.call)
  }
  return (
    <ListScreen
      of={waitingEvents}
      rowName={({ about }) => about}
      actions={{ repeat: (row) => void repeat(row) }}
      cells={{
        nextTry: ({ givenUp }, label) => (givenUp ? <StatusBadge kind="bad">{t`Given up`}</StatusBadge> : label),
      }}
      empty={
        <EmptyState icon={CircleCheck} title={<Trans>Nothing waits</Trans>}>
          <Trans>All that the payment provider told is in the ledgers of the municipalities.</Trans>
        </EmptyState>
      }
    >
      <p className="mb-4 max-w-prose text-muted">
        <Trans>
          What the payment provider told of a payment and could not be written down yet. It is tried again by itself
          after growing waits; after a day it is given up and waits for you.
        </Trans>
      </p>
      <p className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
        <Link className="link" to="/admin/reconciliation/municipalities">
          <Trans>How far each municipality is reconciled</Trans>
        </Link>
        <Link className="link" to="/admin/reconciliation/outages">
          <Trans>Outages of payment providers</Trans>
        </Link>
      </p>
    </ListScreen>
  )
}
