import { Trans, useLingui } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { call, messageOf } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StatusBadge, type StatusKind } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { repeatDelivery } from '../../contract-staff.ts'
import { alerts, deliveries } from '../../list.ts'
import type { DeliveryState } from '../../rules.ts'

const kinds: Record<DeliveryState, StatusKind> = {
  queued: 'waiting',
  waiting: 'waiting',
  sent: 'neutral',
  delivered: 'good',
  unclear: 'attention',
  failed: 'bad',
  optedOut: 'neutral',
  resting: 'bad',
}

/** Shows the result of each email, text message and call of alerts (spec 2.3). */
export default function ReportScreen() {
  const { t } = useLingui()
  const loadedAlerts = useResponse(alerts.call, {}).data?.rows ?? []
  const repeat = async ({ id }: { id: number }) => {
    try {
      toast((await call(repeatDelivery, { deliveryId: id })).message)
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await reload(deliveries.call)
  }
  return (
    <ListScreen
      of={deliveries}
      rowName={({ name }) => name}
      actions={{ repeat: (row) => void repeat(row) }}
      cells={{ state: ({ state }, text) => <StatusBadge kind={kinds[state]}>{text}</StatusBadge> }}
      filters={{
        alertId: {
          field: (value, set) => (
            <Select
              className="md:w-64"
              label={t`Alert`}
              value={value}
              onChange={({ target }) => set(target.value)}
              options={[
                { value: '', label: t`All alerts` },
                ...loadedAlerts.map(({ id, number, headline }) => ({
                  value: String(id),
                  label: `${number} ${headline}`,
                })),
              ]}
            />
          ),
          labelFor: (value) => loadedAlerts.find(({ id }) => String(id) === value)?.number ?? t`Alert ${value}`,
          width: 256,
        },
      }}
      empty={
        <EmptyState icon={Send} title={t`No alerts sent yet`}>
          <Trans>This report lists each email, text message and call for an alert, with its delivery status.</Trans>
        </EmptyState>
      }
    />
  )
}
