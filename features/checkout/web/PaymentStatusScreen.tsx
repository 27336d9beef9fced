import { Trans, useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { longInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { digitsOf, formatPhone } from '../../../shared/phone.ts'
import { paymentStatus } from '../../outages/contract.ts'
import { GRACE_DAYS } from '../../outages/rules.ts'
import { deferredPaymentStates, deferredActions } from '../../outages/states.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

/** Polling interval in milliseconds. The page must show a change within a minute. */
const POLL_MS = 20_000

/** Shows whether card and bank payments work, the alternative ways to pay, and the status of the viewer’s payments. */
export default function PaymentStatusScreen() {
  const { t } = useLingui()
  const response = useResponse(paymentStatus, {}, { refetchInterval: POLL_MS })
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={t`Payment Status`} />
      <ResponseView response={response} loading={<Trans>Loading the payment status</Trans>}>
        {({ since, second, lastEnded, deferred }) => (
          <div className="flex max-w-text flex-col gap-6">
            {since === null || second ? <Works lastEnded={lastEnded} /> : <Out since={since} />}
            {deferred.length > 0 && (
              <Card as="div">
                <h2 className="mb-3 text-h3">
                  <Trans>Your payment attempts</Trans>
                </h2>
                <ul className="flex flex-col gap-4">
                  {deferred.map(({ id, reference, status, action, methodLabel, totalCents, at, path }) => (
                    <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                      <Link className="link font-bold" to={path}>
                        {reference}
                      </Link>
                      <span className="tabular-nums">
                        <Money cents={totalCents} />
                      </span>
                      <StateBadge of={deferredPaymentStates} state={status} />
                      <span className="w-full text-muted text-sm">
                        <Text>{translated(deferredActions[action])}</Text>
                        <Text>{methodLabel && `: ${methodLabel}`}</Text> · <Trans>attempted on {longInstant(at)}</Trans>
                      </span>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </div>
        )}
      </ResponseView>
    </Measure>
  )
}

function Works({ lastEnded }: { lastEnded: { since: string; until: string } | null }) {
  return (
    <Notice tone="success" title={<Trans>Payments by card and bank account are working</Trans>}>
      {lastEnded && (
        <p>
          <Trans>
            Payments did not work from {longInstant(lastEnded.since)} to {longInstant(lastEnded.until)}. If you tried to
            pay during that time, no late fee caused by the outage will be added until {GRACE_DAYS} days after the
            outage ended.
          </Trans>
        </p>
      )}
    </Notice>
  )
}

function Out({ since }: { since: string }) {
  const phone = page().footer?.phone_no
  return (
    <>
      <Notice tone="warning" title={<Trans>Payments by card and bank account are not working right now</Trans>}>
        <Trans>The payment provider has not responded since {longInstant(since)}. We check again every minute.</Trans>
      </Notice>
      <Card as="div">
        <h2 className="mb-3 text-h3">
          <Trans>Your options</Trans>
        </h2>
        <ul className="list-disc ps-5">
          <li>
            <Trans>
              Find the item that you want to pay and continue to its payment page. There you can ask us to charge you
              when payments work again, or to email you a link.
            </Trans>
          </li>
          <li>
            <Trans>
              We will record the time of your attempt. Until {GRACE_DAYS} days after payments work again, no late fee
              caused by the outage will be added.
            </Trans>
          </li>
          <li>
            <Trans>
              A payment that you already submitted is not lost. We will find out whether it went through, and you will
              not be charged twice. Do not submit it again.
            </Trans>
          </li>
          <li>
            <Trans>AutoPay will wait and charge you when payments work again.</Trans>
          </li>
          <li>
            <Trans>You can pay by cash or check at the counter.</Trans>{' '}
            {phone && (
              <a className="link whitespace-nowrap" href={`tel:${digitsOf(phone)}`}>
                {formatPhone(phone)}
              </a>
            )}
          </li>
        </ul>
        <h2 className="mt-6 mb-3 text-h3">
          <Trans>Available services</Trans>
        </h2>
        <p>
          <Trans>All other services are working: your bills, usage, forms, requests and free reservations.</Trans>
        </p>
      </Card>
    </>
  )
}
