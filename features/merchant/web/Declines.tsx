import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { declineReasons } from '../../payments/rules-declines.ts'
import type { PartProps } from './parts.ts'
import { MethodShares } from './MethodShares.tsx'
import { count, paymentsOf, rate } from './labels.ts'

/** Approval rate of payment attempts, and the reasons for declines. */
export function Declines({ data: { attempts, reasons, period } }: PartProps) {
  const { t } = useLingui()
  const { now, before } = attempts
  const all = now.approved + now.declined
  return (
    <Panel id="declines" title={<Trans>Approvals and declines</Trans>}>
      <DetailList
        className="mb-4 tabular-nums"
        details={[
          [t`Card and eCheck payment attempts`, count(all)],
          [t`Approved`, <strong key="rate">{`${rate(now.approved, all)} (${count(now.approved)})`}</strong>],
          [t`Previous period`, rate(before.approved, before.approved + before.declined)],
        ]}
      />
      {reasons.length === 0 ? (
        <p className="text-muted">
          <Trans>No payments were declined in this period.</Trans>
        </p>
      ) : (
        <MethodShares
          label={t`Decline reasons`}
          rows={reasons.map(({ reason, attempts: times, payments }) => ({
            id: reason,
            name: translated(declineReasons[reason]),
            note: <Plural value={payments} one="# payment" other="# payments" />,
            value: `${count(times)} (${rate(times, now.declined)})`,
            to: paymentsOf(period, { declined: reason }),
          }))}
        />
      )}
    </Panel>
  )
}
