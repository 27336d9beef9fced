import { Trans } from '@lingui/react/macro'
import { Landmark } from 'lucide-react'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { reconciledTowns } from '../list.ts'

/** How far the money of each municipality is followed to its bank. */
export default function TownsScreen() {
  return (
    <ListScreen
      of={reconciledTowns}
      rowName={({ name }) => name}
      cells={{
        name: ({ name }) => <strong>{name}</strong>,
        open: ({ open }, count) => (open === 0 ? count : <StatusBadge kind="attention">{count}</StatusBadge>),
      }}
      note={
        <p className="mt-4 flex flex-col gap-1">
          <Link className="link" to="/admin/reconciliation">
            <Trans>What the payment provider told and could not be written down</Trans>
          </Link>
          <Link className="link" to="/admin/reconciliation/outages">
            <Trans>Outages of payment providers</Trans>
          </Link>
        </p>
      }
      empty={
        <EmptyState icon={Landmark} title={<Trans>No municipalities yet</Trans>}>
          <Trans>Each stands here from its first day on.</Trans>
        </EmptyState>
      }
    />
  )
}
