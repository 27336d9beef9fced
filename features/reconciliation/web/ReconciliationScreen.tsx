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
import { pendingEvents } from '../list.ts'

/** Screen with provider events that the portal could not apply. Platform staff review them. */
export default function ReconciliationScreen() {
  const { t } = useLingui()
  const repeat = async ({ id }: { id: number }) => {
    try {
      const { success, error } = await call(tryEvent, { eventId: id })
      toast(
        success ? t`Event recorded.` : t`The event still cannot be recorded: ${error}`,
        success ? 'success' : 'danger',
      )
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await reload(pendingEvents.call)
  }
  return (
    <ListScreen
      of={pendingEvents}
      rowName={({ about }) => about}
      actions={{ repeat: (row) => void repeat(row) }}
      cells={{
        nextTry: ({ abandoned }, label) =>
          abandoned ? <StatusBadge kind="bad">{t`Retries ended`}</StatusBadge> : label,
      }}
      empty={
        <EmptyState icon={CircleCheck} title={<Trans>No unrecorded events</Trans>}>
          <Trans>All payment provider events are recorded in the municipalities’ ledgers.</Trans>
        </EmptyState>
      }
    >
      <p className="mb-4 max-w-prose text-muted">
        <Trans>
          This list shows payment provider events that the portal has not been able to record yet. The portal retries
          automatically with increasing delays. After one day, the automatic retries stop, and you must retry manually.
        </Trans>
      </p>
      <p className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
        <Link className="link" to="/admin/reconciliation/municipalities">
          <Trans>Reconciliation by municipality</Trans>
        </Link>
        <Link className="link" to="/admin/reconciliation/outages">
          <Trans>Payment provider outages</Trans>
        </Link>
      </p>
    </ListScreen>
  )
}
