import { Trans, useLingui } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { transitionOnboarding, oneOnboarding } from '../contract.ts'
import { waitingParties } from '../rules.ts'
import { onboardingStates } from '../states.ts'
import { Documents } from './Documents.tsx'
import { reloadOnboardings } from './fresh.ts'
import type { Onboarding } from './of.ts'
import { StatusSection } from './Status.tsx'
import { Steps } from './Steps.tsx'
import { useReturn } from './use-return.ts'

interface Props {
  companyId: number
  id: number
  onClose: () => void
}

/** Panel of a company's onboarding with one provider: steps, documents, history, and platform actions. */
export const OnboardingSlideOut = ({ companyId, id, onClose }: Props) => (
  <ResponseSlideOut
    title={<Trans>Onboarding</Trans>}
    named={({ company, providerName }) => (
      <Trans>
        Onboarding for {company} with {providerName}
      </Trans>
    )}
    onClose={onClose}
    response={useResponse(oneOnboarding, { companyId, id })}
    loading={<Trans>Loading onboarding</Trans>}
    failed={<Trans>Could not load this onboarding</Trans>}
  >
    {(of) => <OnboardingContent of={of} companyId={companyId} />}
  </ResponseSlideOut>
)

function OnboardingContent({ of, companyId }: { of: Onboarding; companyId: number }) {
  const { t } = useLingui()
  const isLinkExpired = useReturn({ companyId, id: of.id })
  const owner = { companyId }
  return (
    <>
      <p className="mb-4">
        <StateBadge of={onboardingStates} state={of.status} />
      </p>
      <StatusSection of={of} owner={owner} isLinkExpired={isLinkExpired} />
      <DetailList
        className="mt-5 text-table"
        details={[
          [t`Waiting on`, translated(waitingParties[of.owedBy])],
          [t`Status since`, shortInstant(of.since)],
          [t`New payments`, of.mayCharge ? t`Enabled` : t`Disabled`],
          [t`Selected provider`, of.isChosen ? t`Yes` : t`No`],
        ]}
      />
      <p className="mt-2">
        <Link className="link" to={`/admin/${companyId}/company/information`}>
          <Trans>Open municipality settings</Trans>
        </Link>
      </p>
      <MoveButtons
        of={onboardingStates}
        can={of.can.steps as never}
        dialog={{
          draft: `onboarding-${of.id}`,
          text: (event) =>
            event === 'hold' ? (
              <Trans>
                New payments through this provider will stop. The municipality’s administrators will receive the reason
                by email.
              </Trans>
            ) : (
              <Trans>
                Onboarding will resume from its current status with the provider. The municipality’s administrators will
                receive an email.
              </Trans>
            ),
          hint: t`Reason`,
        }}
        onPress={async (event, reason) => {
          toast((await call(transitionOnboarding, { ...owner, id: of.id, event, ...(reason && { reason }) })).message)
          await reloadOnboardings()
        }}
      />
      <Steps of={of} isCompany={false} />
      <Documents of={of} owner={owner} />
      <History history={of.history} />
    </>
  )
}
