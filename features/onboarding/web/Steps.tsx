import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { shortInstant } from '../../../web/clock.ts'
import { Link } from '../../../web/ui/Link.tsx'
import type { Onboarding } from './of.ts'

/**
 * Onboarding steps in order, with finished steps marked. `isCompany` is true for the company's own staff, who can open
 * its test screens.
 */
export function Steps({ of, isCompany }: { of: Onboarding; isCompany: boolean }) {
  const { providerName: name, status, missing, missingDocuments, neededDocuments, documents, test, isChosen } = of
  const isSubmitted = !['not_started', 'in_progress'].includes(status) && missing.length === 0
  const areAccepted = neededDocuments.every((kind) =>
    documents.some((one) => one.kind === kind && one.status === 'accepted'),
  )
  return (
    <ol className="mt-5 flex flex-col">
      <Step done={isSubmitted} title={<Trans>Verify the municipality’s identity with {name}</Trans>}>
        <Trans>
          The municipality enters this information on the provider’s own page. The portal never receives it.
        </Trans>
      </Step>
      {neededDocuments.length > 0 && (
        <Step done={areAccepted} title={<Trans>Submit documents</Trans>}>
          {missingDocuments.length > 0 ? (
            <Trans>Upload the documents below. Mainstreet staff will review them.</Trans>
          ) : areAccepted ? null : (
            <Trans>The documents were submitted. The platform is reviewing them.</Trans>
          )}
        </Step>
      )}
      <Step done={of.takesPayments && status !== 'held'} title={<Trans>{name} accepts payments</Trans>} />
      <Step done={of.isPaidOut && status !== 'held'} title={<Trans>{name} sends payouts to the bank</Trans>} />
      <Step done={test?.passed === true} title={<Trans>Make a test payment</Trans>}>
        <Tested of={of} />
        {isCompany && isChosen && (
          <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {of.isTest && (
              <Link className="link" to="/payment-test">
                <Trans>Open payment test</Trans>
              </Link>
            )}
            <Link className="link" to={`/municipality/${of.provider}-sso-test`}>
              <Trans>Test single sign-on</Trans>
            </Link>
            <Link className="link" to="/token-test">
              <Trans>Open token test</Trans>
            </Link>
          </span>
        )}
      </Step>
    </ol>
  )
}

function Tested({ of: { test, isTest, isChosen } }: { of: Onboarding }) {
  if (test?.passed)
    return (
      <Trans>
        {test.by} made a successful test payment on {shortInstant(test.at)}.
      </Trans>
    )
  if (test)
    return (
      <Trans>
        The last test payment, made on {shortInstant(test.at)} by {test.by}, failed.
      </Trans>
    )
  if (!isChosen) return <Trans>This step is available when new payments use this provider.</Trans>
  if (!isTest) return <Trans>This provider moves real money. Pay a small bill yourself, then refund the payment.</Trans>
  return <Trans>The payment is refunded immediately and does not appear in any report.</Trans>
}

function Step({ done, title, children }: { done: boolean; title: ReactNode; children?: ReactNode }) {
  const { t } = useLingui()
  return (
    <li className="flex gap-3 border-line border-b py-3 last:border-b-0">
      {done ? (
        <CircleCheck size={20} aria-label={t`done`} className="mt-0.5 shrink-0 text-success" />
      ) : (
        <CircleDashed size={20} aria-label={t`not done`} className="mt-0.5 shrink-0 text-muted" />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <strong>{title}</strong>
        {children && <div className="text-muted text-sm">{children}</div>}
      </div>
    </li>
  )
}
