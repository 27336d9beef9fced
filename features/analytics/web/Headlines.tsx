import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { type AnalyticsResponse, partsOf, together } from './parts.ts'
import { percentOf, plain } from './labels.ts'

export function Headlines({ data }: { data: AnalyticsResponse }) {
  const { t } = useLingui()
  const of = (name: Parameters<typeof partsOf>[1]) => together(partsOf(data, name), data.points.length)
  const [payments, signIns, failures] = [of('payments'), of('sign_ins'), of('failures')]
  const stockCount = (name: 'residents' | 'utility_accounts', part: string) => {
    const match = partsOf(data, name).find((one) => one.part === part)
    return { now: match?.count ?? 0, before: match?.before.count ?? 0 }
  }
  const [residents, confirmed] = [stockCount('residents', 'signed_up'), stockCount('residents', 'confirmed')]
  const [accounts, linked] = [stockCount('utility_accounts', 'all'), stockCount('utility_accounts', 'linked')]
  const share = accounts.now === 0 ? 0 : Math.round((linked.now / accounts.now) * 1000) / 10
  const comparable = data.before.counted
  return (
    <dl className="headlines mb-8">
      <Headline
        name={t`Residents`}
        value={plain(residents.now)}
        note={t`${plain(confirmed.now)} confirmed their email`}
      >
        <Change {...residents} comparable={comparable} />
      </Headline>
      <Headline
        name={t`Linked accounts`}
        value={plain(linked.now)}
        note={t`${share}% of ${plain(accounts.now)} utility accounts`}
      >
        <Change {...linked} comparable={comparable} />
      </Headline>
      <Headline name={t`Payments`} value={plain(payments.count)}>
        <Change now={payments.count} before={payments.before.count} comparable={comparable} />
      </Headline>
      <Headline name={t`Paid`} value={formatCents(payments.cents)} note={t`Fees included`}>
        <Change now={payments.cents} before={payments.before.cents} comparable={comparable} />
      </Headline>
      <Headline name={t`Sign-ins`} value={plain(signIns.count)}>
        <Change now={signIns.count} before={signIns.before.count} comparable={comparable} />
      </Headline>
      <Headline name={t`Failures`} value={plain(failures.count)}>
        <Change now={failures.count} before={failures.before.count} comparable={comparable} />
      </Headline>
    </dl>
  )
}

interface HeadlineProps {
  name: string
  value: string
  note?: string
  children: ReactNode
}

const Headline = ({ name, value, note, children }: HeadlineProps) => (
  <div className="bg-surface px-4 py-3">
    <dt className="text-muted text-sm">{name}</dt>
    <dd>
      <span className="block font-bold font-display text-h2 tabular-nums">{value}</span>
      {note && <span className="block text-muted text-sm">{note}</span>}
      <div className="mt-1">{children}</div>
    </dd>
  </div>
)

/** Shows in words how a figure changed. The text has no color, because an increase is not always good. */
export function Change({ now, before, comparable }: { now: number; before: number; comparable: boolean }) {
  if (!comparable) return null
  const percent = percentOf(now, before)
  const Arrow = now > before ? ArrowUp : now < before ? ArrowDown : Equal
  return (
    <span className="flex items-start gap-1 text-sm">
      <Arrow size={16} aria-hidden className="mt-0.75 shrink-0 text-link" />
      <span>
        {now === before ? (
          <Trans>unchanged</Trans>
        ) : percent === 0 ? (
          <Trans>nearly unchanged</Trans>
        ) : percent === null ? (
          <Trans>none in the previous period</Trans>
        ) : now > before ? (
          <Trans>{percent}% more than in the previous period</Trans>
        ) : (
          <Trans>{percent}% less than in the previous period</Trans>
        )}
      </span>
    </span>
  )
}
