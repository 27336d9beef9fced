import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { disputeLabels, type DisputeState, type ReturnCode, returnCodes } from '../../payments/rules-declines.ts'
import { DISPUTE_LIMIT, percentOf, returnLimits } from '../rules.ts'
import type { PartProps } from './parts.ts'
import { MethodShares } from './MethodShares.tsx'
import { count, paymentsOf, rate } from './labels.ts'

/** Returned eChecks compared with the NACHA limits. */
export function Returns({ data: { returns, returnCodes: codes, period } }: PartProps) {
  const { t } = useLingui()
  const groups = [
    { name: t`Unauthorized`, limit: returnLimits.unauthorized, of: (one: typeof returns.now) => one.unauthorized },
    {
      name: t`Administrative`,
      limit: returnLimits.administrative,
      of: (one: typeof returns.now) => one.administrative,
    },
    {
      name: t`All returns`,
      limit: returnLimits.overall,
      of: ({ unauthorized, administrative, other }: typeof returns.now) => unauthorized + administrative + other,
    },
  ]
  const over = groups.filter(({ limit, of }) => (percentOf(of(returns.now), returns.now.debits) ?? 0) >= limit)
  return (
    <Panel id="returns" title={<Trans>Returned eChecks</Trans>} aside={<ThresholdStatus over={over.length > 0} />}>
      <p className="mb-3 text-muted">
        <Plural
          value={returns.now.debits}
          one="Based on # eCheck in this period."
          other="Based on # eChecks in this period."
        />{' '}
        <Trans>
          NACHA sets limits for returned bank debits, measured over 60 days. If a rate is at or above its limit, your
          bank may ask you about the returns.
        </Trans>
      </p>
      <FiguresTable
        caption={t`eCheck return rates`}
        head={t`Kind`}
        columns={[t`Returned`, t`Rate`, t`Limit`, t`Previous period`]}
        rows={groups.map(({ name, limit, of }) => ({
          name,
          cells: [
            ...[count(of(returns.now)), rate(of(returns.now), returns.now.debits), `${limit.toFixed(1)}%`],
            rate(of(returns.before), returns.before.debits),
          ],
        }))}
      />
      {codes.length === 0 ? (
        <p className="mt-4 text-muted">
          <Trans>No eChecks from this period were returned.</Trans>
        </p>
      ) : (
        <div className="mt-4">
          <MethodShares
            label={t`Returned eChecks by return code`}
            rows={codes.map(({ code, payments, cents }) => {
              const returnCode = returnCodes[code as ReturnCode]
              return {
                id: code,
                name: returnCode ? `${code} ${translated(returnCode.label)}` : code,
                note: formatCents(cents),
                value: count(payments),
                to: returnCode && paymentsOf(period, { returned: code }),
              }
            })}
          />
        </div>
      )}
    </Panel>
  )
}

/** Disputed card payments, compared with the rate at which card networks start to monitor a merchant. */
export function Disputes({ data: { disputes, period } }: PartProps) {
  const { t } = useLingui()
  const { now, before } = disputes
  const sum = (one: typeof now) => one.open + one.won + one.lost
  const states = (['open', 'won', 'lost'] as const).filter((state: DisputeState) => now[state] > 0)
  return (
    <Panel
      id="disputes"
      title={<Trans>Disputes</Trans>}
      aside={<ThresholdStatus over={(percentOf(sum(now), now.cardPayments) ?? 0) >= DISPUTE_LIMIT} />}
    >
      <DetailList
        className="mb-4 tabular-nums"
        details={[
          [t`Disputes`, `${count(sum(now))}, ${formatCents(now.cents)}`],
          [t`Share of card payments disputed`, <strong key="rate">{rate(sum(now), now.cardPayments)}</strong>],
          [t`Card network threshold`, `${DISPUTE_LIMIT.toFixed(1)}%`],
          [t`Previous period`, `${count(sum(before))} (${rate(sum(before), before.cardPayments)})`],
        ]}
      />
      {states.length > 0 && (
        <MethodShares
          label={t`Disputes by outcome`}
          rows={states.map((state) => ({
            id: state,
            name: translated(disputeLabels[state]),
            note: '',
            value: count(now[state]),
            to: paymentsOf(period, { disputed: state }),
          }))}
        />
      )}
    </Panel>
  )
}

const ThresholdStatus = ({ over }: { over: boolean }) => {
  const { t } = useLingui()
  return over ? (
    <StatusBadge kind="attention">{t`At or above a limit`}</StatusBadge>
  ) : (
    <StatusBadge kind="good">{t`Within the limits`}</StatusBadge>
  )
}
