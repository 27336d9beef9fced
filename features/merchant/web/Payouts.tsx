import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { shortInstant } from '../../../web/clock.ts'
import { DetailList, Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import type { PartProps } from './parts.ts'
import { Ways } from './Ways.tsx'
import { Money } from '../../../web/ui/Money.tsx'

/** Expected arrival of payouts, estimated from the last payouts, because each provider has its own schedule. */
export function Payouts({ data: { payouts } }: PartProps) {
  const { t } = useLingui()
  const { last, schedule, underWay, late, held } = payouts
  return (
    <Panel
      id="payouts"
      title={<Trans>Payouts and the next deposit</Trans>}
      aside={
        <Link className="link" to="/municipality/reports/payouts">
          <Trans>All payouts</Trans>
        </Link>
      }
    >
      {schedule === null ? (
        <p className="mb-4">
          <Trans>No payout has come yet. The provider sends what was taken to the bank by itself.</Trans>
        </p>
      ) : (
        <p className="mb-4">
          {schedule.weekends ? (
            <Trans>The provider pays out each day, weekends included.</Trans>
          ) : (
            <Trans>The provider pays out on working days.</Trans>
          )}{' '}
          {schedule.minDays === schedule.maxDays ? (
            <Plural
              value={schedule.maxDays}
              one="The money is at the bank # day later."
              other="The money is at the bank # days later."
            />
          ) : (
            <Trans>
              The money is at the bank {schedule.minDays} to {schedule.maxDays} days later.
            </Trans>
          )}{' '}
          <span className="text-muted">
            <Plural value={schedule.payouts} one="So went the last payout." other="So went the last # payouts." />
          </span>
        </p>
      )}
      <DetailList
        className="mb-4 tabular-nums"
        details={[
          [
            t`Next deposit`,
            underWay.next === null ? (
              t`Nothing is on its way`
            ) : (
              <span key="next">
                <strong>{formatDate(underWay.next)}</strong>
              </span>
            ),
          ],
          [
            t`On its way to the bank`,
            <span key="way">
              <Money cents={underWay.cents} /> (
              <Plural value={underWay.payouts} one="# payout" other="# payouts" />)
            </span>,
          ],
          [
            t`Taken, not paid out yet`,
            <span key="held">
              <Money cents={held.cents} /> (<Plural value={held.payments} one="# payment" other="# payments" />)
            </span>,
          ],
          ...(held.by === null ? [] : [[t`At the bank by`, formatDate(held.by)] as const]),
        ]}
      />
      {late.payouts > 0 && (
        <Notice className="mb-4" tone="warning">
          <Plural
            value={late.payouts}
            one={`# payout of ${formatCents(late.cents)} should be at the bank by now.`}
            other={`# payouts of ${formatCents(late.cents)} should be at the bank by now.`}
          />{' '}
          <Link className="link" to="/municipality/reports/exceptions?status=open&kind=deposit_missing">
            <Trans>Look into it</Trans>
          </Link>
        </Notice>
      )}
      {last.length > 0 && (
        <Ways
          label={t`The last payouts`}
          rows={last.map(({ id, trace, paidAt, arrivesOn, netCents, deposited }) => ({
            id: String(id),
            name: trace,
            note: deposited
              ? t`${shortInstant(paidAt)}, at the bank`
              : t`${shortInstant(paidAt)}, expected at the bank on ${formatDate(arrivesOn)}`,
            value: formatCents(netCents),
            to: `/municipality/reports/payouts?payout=${id}`,
          }))}
        />
      )}
    </Panel>
  )
}
