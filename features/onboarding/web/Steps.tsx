import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { shortInstant } from '../../../web/clock.ts'
import { Link } from '../../../web/ui/Link.tsx'
import type { Onboarding } from './of.ts'

/**
 * Onboarding steps in order, with finished steps marked. `isCompany`: true for the company's own staff, who can open
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
      <Step done={isSubmitted} title={<Trans>Tell {name} who the municipality is</Trans>}>
        <Trans>On its own page. What is typed there never reaches this portal.</Trans>
      </Step>
      {neededDocuments.length > 0 && (
        <Step done={areAccepted} title={<Trans>Send the documents</Trans>}>
          {missingDocuments.length === 0 && !areAccepted ? (
            <Trans>They were sent, and the platform looks at them.</Trans>
          ) : (
            <Trans>Below. The platform looks at them.</Trans>
          )}
        </Step>
      )}
      <Step done={of.takesPayments && status !== 'held'} title={<Trans>{name} takes payments</Trans>} />
      <Step done={of.isPaidOut && status !== 'held'} title={<Trans>{name} pays them out to the bank</Trans>} />
      <Step done={test?.passed === true} title={<Trans>Make a test payment</Trans>}>
        <Tested of={of} />
        {isCompany && isChosen && (
          <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {of.isTest && (
              <Link className="link" to="/payment-test">
                <Trans>Open the payment test</Trans>
              </Link>
            )}
            <Link className="link" to={`/municipality/${of.provider}-sso-test`}>
              <Trans>Try the single sign-on</Trans>
            </Link>
            <Link className="link" to="/token-test">
              <Trans>Look at a token</Trans>
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
        It went through on {shortInstant(test.at)}, made by {test.by}.
      </Trans>
    )
  if (test)
    return (
      <Trans>
        The last one, of {shortInstant(test.at)}, did not go through. {test.by} made it.
      </Trans>
    )
  if (!isChosen) return <Trans>Once new payments go through this provider.</Trans>
  if (!isTest) return <Trans>Where real money moves, pay a small bill of your own and give it back.</Trans>
  return <Trans>It is given back at once and stands in no report.</Trans>
}

function Step({ done, title, children }: { done: boolean; title: ReactNode; children?: ReactNode }) {
  const { t } = useLingui()
  return (
    <li className="flex gap-3 border-line border-b py-3 last:border-b-0">
      {done ? (
        <CircleCheck size={20} aria-label={t`done`} className="mt-0.5 shrink-0 text-success" />
      ) : (
        <CircleDashed size={20} aria-label={t`still to do`} className="mt-0.5 shrink-0 text-muted" />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <strong>{title}</strong>
        {children && <div className="text-muted text-sm">{children}</div>}
      </div>
    </li>
  )
}
