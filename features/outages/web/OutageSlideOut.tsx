import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { exactInstant, shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { outageTries } from '../contract.ts'
import { deferredPaymentStates, deferredActions } from '../states.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** One outage with its payment attempts. */
export function OutageSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ResponseSlideOut
      title={<Trans>Payment outage</Trans>}
      named={({ since }) => shortInstant(since)}
      onClose={onClose}
      response={useResponse(outageTries, { id })}
      loading={<Trans>Loading the outage</Trans>}
      failed={<Trans>Could not load this outage</Trans>}
    >
      {({ since, until, provider, graceUntil, relapses, count, tries }) => (
        <>
          <DetailList
            className="text-table"
            details={[
              [t`Provider`, provider],
              [t`Started`, shortInstant(since)],
              [t`Ended`, until ? shortInstant(until) : t`Ongoing`],
              [t`No late fees through`, graceUntil ? formatDate(graceUntil) : t`Three days after the outage ends`],
              ...(relapses > 0
                ? ([[t`Recurred`, plural(relapses, { one: '# time', other: '# times' })]] as [string, string][])
                : []),
            ]}
          />
          <h3 className="mt-6 mb-2 text-h3">
            <Plural value={count} _0="No payment attempts" one="One payment attempt" other="# payment attempts" />
          </h3>
          <ul className="flex flex-col divide-y divide-line">
            {tries.map(({ at, reference, payer, cents, paymentId, action, status }) => (
              <li key={`${at} ${reference}`} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
                <span className="font-bold">{reference}</span>
                <span>{payer}</span>
                <span className="tabular-nums">{formatCents(cents)}</span>
                {status && status !== 'noted' && <StateBadge of={deferredPaymentStates} state={status} />}
                <span className="w-full text-muted text-sm">
                  <Text>{exactInstant(at)}</Text> ·{' '}
                  <Text>
                    {action ? (
                      translated(deferredActions[action])
                    ) : (
                      <Trans>Payment attempt that could not be completed</Trans>
                    )}
                  </Text>
                  {paymentId !== null && (
                    <>
                      {' · '}
                      <Link className="link" to={`/municipality/reports/payments?payment=${paymentId}`}>
                        <Trans>Payment P{paymentId}</Trans>
                      </Link>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {count > tries.length && (
            <p className="mt-3 text-muted">
              <Trans>Only the most recent attempts are shown.</Trans>
            </p>
          )}
        </>
      )}
    </ResponseSlideOut>
  )
}
