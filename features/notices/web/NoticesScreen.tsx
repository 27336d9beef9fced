import { Trans } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { call, messageOf } from '../../../web/call.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { releaseAddress, repeatNotice } from '../contract.ts'
import { notices } from '../list.ts'
import type { DeliveryState } from '../rules.ts'

const kinds = {
  waiting: 'attention',
  sent: 'neutral',
  delivered: 'good',
  unclear: 'attention',
  failed: 'bad',
  stopped: 'neutral',
  resting: 'bad',
} as const satisfies Record<DeliveryState, string>

/** Emails, text messages and calls of the company, with their delivery status. */
export default function NoticesScreen() {
  const act =
    (of: typeof releaseAddress | typeof repeatNotice) =>
    async ({ id }: { id: number }) => {
      try {
        toast((await call(of, { noticeId: id })).message)
      } catch (failure) {
        toast(messageOf(failure), 'danger')
      }
      await reload(notices.call)
    }
  const [release, repeat] = [act(releaseAddress), act(repeatNotice)]
  return (
    <ListScreen
      of={notices}
      rowName={({ to }) => to}
      actions={{ release: (row) => void release(row), repeat: (row) => void repeat(row) }}
      cells={{
        state: ({ state }, label) => <StatusBadge kind={kinds[state]}>{label}</StatusBadge>,
        segments: ({ segments }, count) => (segments > 0 ? count : ''),
        minutes: ({ minutes }, count) => (minutes > 0 ? count : ''),
      }}
      empty={
        <EmptyState icon={Send} title={<Trans>No notifications yet</Trans>}>
          <Trans>Emails, texts and calls from the portal appear here, for example payment receipts.</Trans>
        </EmptyState>
      }
    />
  )
}
