import { Trans, useLingui } from '@lingui/react/macro'
import { Download, Landmark } from 'lucide-react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { exportPayoutLines, showPayout } from '../contract.ts'
import { payouts } from '../list.ts'
import { useMovementNames } from './labels.ts'
import { Code, Text } from '../../../web/ui/Text.tsx'

const open = ({ id }: { id: number }) => setQuery({ payout: String(id) })

/** Payouts from the provider to the bank, with their lines. */
export default function PayoutsScreen() {
  const { t } = useLingui()
  return (
    <>
      <ListScreen
        of={payouts}
        rowName={({ trace }) => trace}
        cells={{
          trace: ({ trace, provider, hasSeveralProviders }) => (
            <>
              <strong>{trace}</strong>
              {hasSeveralProviders && <span className="text-muted text-sm"> {provider}</span>}
            </>
          ),
          deposited: ({ deposited, differs }, text) =>
            differs ? (
              <StatusBadge kind="attention">{t`Other amount`}</StatusBadge>
            ) : deposited ? (
              text
            ) : (
              <StatusBadge kind="waiting">{t`Not yet arrived`}</StatusBadge>
            ),
        }}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={Landmark} title={<Trans>No payouts yet</Trans>}>
            <Trans>The payment provider sends payments to the bank, usually once each business day.</Trans>
          </EmptyState>
        }
      />
      <QueryItem name="payout">{(id, close) => <PayoutSlideOut id={id} onClose={close} />}</QueryItem>
    </>
  )
}

function PayoutSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <ResponseSlideOut
      title={<Trans>Payout</Trans>}
      named={({ trace }) => trace}
      onClose={onClose}
      response={useResponse(showPayout, { id })}
      loading={<Trans>Loading payout</Trans>}
    >
      {(payout) => <PayoutContent payout={payout} />}
    </ResponseSlideOut>
  )
}

function PayoutContent({ payout }: { payout: ResponseOf<typeof showPayout> }) {
  const { t } = useLingui()
  const movementNames = useMovementNames()
  const { id, lines, lineCount, depositedCents, depositedOn, netCents } = payout
  const save = () =>
    download(exportPayoutLines, { id }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  return (
    <>
      <DetailList
        details={[
          [t`Gross`, formatCents(payout.grossCents)],
          [t`Provider cost`, formatCents(payout.costCents)],
          [t`Paid out`, <strong key="net">{formatCents(netCents)}</strong>],
          [t`Date`, shortInstant(payout.paidAt)],
          [t`Arrival date`, formatDate(payout.arrivesOn)],
          [
            t`At the bank`,
            depositedCents === null || depositedOn === null
              ? t`Not yet arrived`
              : `${formatCents(depositedCents)}, ${formatDate(depositedOn)}`,
          ],
          [t`Provider`, payout.provider],
        ]}
      />
      <div className="mt-6 mb-2 flex flex-wrap items-baseline justify-between gap-3">
        <h3 className="text-lg">
          <Trans>Payout lines</Trans>
        </h3>
        {may('reconcile', 'create') && (
          <Button size="small" icon={Download} onClick={() => void save()}>
            <Trans>Export all lines as CSV ({lineCount.toLocaleString('en-US')})</Trans>
          </Button>
        )}
      </div>
      {lineCount > lines.length && (
        <p className="mb-2 text-muted text-sm">
          <Trans>Showing {lines.length} lines: differences first, then the largest amounts.</Trans>
        </p>
      )}
      <ul className="tabular-nums">
        {lines.map((line) => (
          <li
            key={line.no}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b py-2 last:border-b-0"
          >
            <span className="min-w-0 wrap-anywhere">
              <Text>
                {line.paymentId === null ? (
                  line.sourceRef
                ) : (
                  <Link className="link" to={`/municipality/reports/payments?payment=${line.paymentId}`}>
                    <Code>{`P${line.paymentId}`}</Code>
                  </Link>
                )}
              </Text>{' '}
              · <Text>{movementNames[line.movementType] ?? line.movementType}</Text>
              <span className="block text-muted text-sm">{shortInstant(line.at)}</span>
            </span>
            <span className="text-end">
              <strong>{formatCents(line.amountCents)}</strong>
              <span className="block text-muted text-sm">
                {line.amountCents === line.ledgerCents ? (
                  <Trans>Cost: {formatCents(line.costCents)}</Trans>
                ) : (
                  <StatusBadge kind="attention">{t`Ledger: ${formatCents(line.ledgerCents)}`}</StatusBadge>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
