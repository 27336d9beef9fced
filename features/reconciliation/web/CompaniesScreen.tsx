import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink, Landmark } from 'lucide-react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { showReconciledCompany } from '../contract.ts'
import { reconciledCompanies } from '../list.ts'
import { exceptionKinds } from '../rules.ts'
import { Code } from '../../../web/ui/Text.tsx'

const open = ({ id }: { id: number }) => setQuery({ town: String(id) })

/** Reconciliation status of each company. */
export default function CompaniesScreen() {
  return (
    <>
      <ListScreen
        of={reconciledCompanies}
        rowName={({ name }) => name}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          open: ({ open: many }, count) => (many === 0 ? count : <StatusBadge kind="attention">{count}</StatusBadge>),
        }}
        actions={{ view: open }}
        onRow={open}
        note={
          <p className="mt-4 flex flex-col gap-1">
            <Link className="link" to="/admin/reconciliation">
              <Trans>Unrecorded payment provider events</Trans>
            </Link>
            <Link className="link" to="/admin/reconciliation/outages">
              <Trans>Payment provider outages</Trans>
            </Link>
          </p>
        }
        empty={
          <EmptyState icon={Landmark} title={<Trans>No municipalities yet</Trans>}>
            <Trans>Each municipality appears here as soon as it is added.</Trans>
          </EmptyState>
        }
      />
      <QueryItem name="town">{(id, close) => <CompanySlideOut id={id} onClose={close} />}</QueryItem>
    </>
  )
}

/**
 * Slide-out with the open exceptions and payouts of one company. The company's own staff resolve the exceptions on
 * their screens.
 */
function CompanySlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ResponseSlideOut
      title={<Trans>Reconciliation</Trans>}
      named={({ name }) => name}
      onClose={onClose}
      response={useResponse(showReconciledCompany, { companyId: id })}
      loading={<Trans>Loading municipality</Trans>}
    >
      {({ url, closedThrough, openExceptions, exceptions, pendingPayouts, payouts }) => (
        <>
          <DetailList details={[[t`Closed through`, closedThrough ? formatDate(closedThrough) : t`Not closed yet`]]} />
          <p className="mt-4">
            <a className="link inline-flex items-center gap-2" href={url} target="_blank" rel="noreferrer">
              <Trans>Open the municipality’s reconciliation</Trans>
              <ExternalLink size={16} aria-hidden />
            </a>
          </p>
          <h3 className="mt-6 mb-2 text-lg">
            <Plural value={openExceptions} _0="No open exceptions" one="# open exception" other="# open exceptions" />
          </h3>
          <AmountList
            of={exceptions.map(({ id: key, kind, about, day, amountCents, owner }) => ({
              key,
              name: about,
              cents: amountCents,
              besides: [translated(exceptionKinds[kind]), formatDate(day), owner || t`Unassigned`].join(' · '),
            }))}
          />
          <h3 className="mt-6 mb-2 text-lg">
            <Plural
              value={pendingPayouts}
              _0="No payouts in transit"
              one="# payout in transit"
              other="# payouts in transit"
            />
          </h3>
          <AmountList
            of={payouts.map(({ id: key, provider, trace, arrivesOn, netCents }) => ({
              key,
              name: trace,
              cents: netCents,
              besides: `${provider} · ${t`arrives ${formatDate(arrivesOn)}`}`,
            }))}
          />
        </>
      )}
    </ResponseSlideOut>
  )
}

const AmountList = ({ of }: { of: readonly { key: number; name: string; besides: string; cents: number }[] }) => (
  <ul>
    {of.map(({ key, name, besides, cents }) => (
      <li
        key={key}
        className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b py-2 last:border-b-0"
      >
        <span className="min-w-0 wrap-anywhere">
          <Code>{name}</Code>
          <span className="block text-muted text-sm">{besides}</span>
        </span>
        <strong className="tabular-nums">{formatCents(cents)}</strong>
      </li>
    ))}
  </ul>
)
