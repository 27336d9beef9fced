import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { shortInstant } from '../../../web/clock.ts'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import type { PartProps } from './parts.ts'
import { MethodShares } from './MethodShares.tsx'
import { Money } from '../../../web/ui/Money.tsx'

/** Expected arrival of payouts. Estimated from the last payouts, because each provider has a different schedule. */
export function Payouts({ data: { payouts } }: PartProps) {
  const { t } = useLingui()
  const { last, schedule, inTransit, late, held } = payouts
  return (
    <Panel
      id="payouts"
      title={<Trans>Payouts and next deposit</Trans>}
      aside={
        <Link className="link" to="/municipality/reports/payouts">
          <Trans>All payouts</Trans>
        </Link>
      }
    >
      {schedule === null ? (
        <p className="mb-4">
          <Trans>No payouts yet. The provider sends payments to the bank automatically.</Trans>
        </p>
      ) : (
        <p className="mb-4">
          {schedule.weekends ? (
            <Trans>The provider pays out every day, including weekends.</Trans>
          ) : (
            <Trans>The provider pays out on business days.</Trans>
          )}{' '}
          {schedule.minDays === schedule.maxDays ? (
            <Plural
              value={schedule.maxDays}
              _0="The money reaches the bank on the same day."
              one="The money reaches the bank # day later."
              other="The money reaches the bank # days later."
            />
          ) : (
            <Trans>
              The money reaches the bank {schedule.minDays} to {schedule.maxDays} days later.
            </Trans>
          )}{' '}
          <span className="text-muted">
            <Plural value={schedule.payouts} one="Based on the last payout." other="Based on the last # payouts." />
          </span>
        </p>
      )}
      <DetailList
        className="mb-4 tabular-nums"
        details={[
          [
            t`Next deposit`,
            inTransit.next === null ? (
              t`No payouts in transit`
            ) : (
              <span key="next">
                <strong>{formatDate(inTransit.next)}</strong>
              </span>
            ),
          ],
          [
            t`In transit to the bank`,
            <span key="way">
              <Money cents={inTransit.cents} /> (
              <Plural value={inTransit.payouts} one="# payout" other="# payouts" />)
            </span>,
          ],
          [
            t`Payments awaiting payout`,
            <span key="held">
              <Money cents={held.cents} /> (<Plural value={held.payments} one="# payment" other="# payments" />)
            </span>,
          ],
          ...(held.by === null ? [] : [[t`Latest expected arrival at the bank`, formatDate(held.by)] as const]),
        ]}
      />
      {late.payouts > 0 && (
        <Notice className="mb-4" tone="warning">
          <Plural
            value={late.payouts}
            one={`# payout of ${formatCents(late.cents)} should have reached the bank already.`}
            other={`# payouts totaling ${formatCents(late.cents)} should have reached the bank already.`}
          />{' '}
          <Link className="link" to="/municipality/reports/exceptions?status=open&kind=deposit_missing">
            <Trans>View missing deposits</Trans>
          </Link>
        </Notice>
      )}
      {last.length > 0 && (
        <MethodShares
          label={t`Recent payouts`}
          rows={last.map(({ id, trace, paidAt, arrivesOn, netCents, deposited }) => ({
            id: String(id),
            name: trace,
            note: deposited
              ? t`Paid out ${shortInstant(paidAt)}, arrived at the bank`
              : t`Paid out ${shortInstant(paidAt)}, expected at the bank on ${formatDate(arrivesOn)}`,
            value: formatCents(netCents),
            to: `/municipality/reports/payouts?payout=${id}`,
          }))}
        />
      )}
    </Panel>
  )
}
