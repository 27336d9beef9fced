import { Trans } from '@lingui/react/macro'
import { Landmark } from 'lucide-react'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { companyOnboardings } from '../contract.ts'
import { onboardingStates } from '../states.ts'
import { Documents } from './Documents.tsx'
import type { Onboarding } from './of.ts'
import { StatusSection } from './Status.tsx'
import { Steps } from './Steps.tsx'
import { useReturn } from './use-return.ts'

/**
 * Screen with the remaining onboarding steps of a company, for its payment provider and its second provider, if any.
 */
export default function CompanyScreen() {
  return (
    <>
      <PageHead title={<Trans>Payment Provider Onboarding</Trans>}>
        <Trans>
          Before a payment provider can pay out money, it must verify the municipality’s identity. This page shows the
          steps, the missing information and who must act next.
        </Trans>
      </PageHead>
      <ResponseView
        response={useResponse(companyOnboardings, {})}
        shape="block"
        loading={<Trans>Loading onboarding</Trans>}
      >
        {({ onboardings }) =>
          onboardings.length === 0 ? (
            <EmptyState icon={Landmark} title={<Trans>No payment provider yet</Trans>}>
              <Trans>Platform staff will choose a provider for you.</Trans>
            </EmptyState>
          ) : (
            <div className="flex max-w-text flex-col gap-6">
              {onboardings.map((one) => (
                <One key={one.id} of={one} />
              ))}
            </div>
          )
        }
      </ResponseView>
    </>
  )
}

function One({ of }: { of: Onboarding }) {
  const isMeant = useQueryParam('onboarding') === String(of.id)
  return (
    <Panel
      id={`onboarding-${of.id}`}
      title={of.providerName}
      aside={<StateBadge of={onboardingStates} state={of.status} />}
    >
      {!of.isChosen && (
        <p className="mb-3 text-muted">
          {of.isSecond ? (
            <Trans>Second provider: used for new payments during an outage of the first provider.</Trans>
          ) : (
            <Trans>Additional provider: not used for new payments.</Trans>
          )}
        </p>
      )}
      {isMeant ? <Returned of={of} /> : <StatusSection of={of} owner={{}} isLinkExpired={false} />}
      <Steps of={of} isCompany />
      <Documents of={of} owner={{}} />
      <History history={of.history} />
    </Panel>
  )
}

/** Status shown to a person who returns from the provider's page. */
const Returned = ({ of }: { of: Onboarding }) => (
  <StatusSection of={of} owner={{}} isLinkExpired={useReturn({ id: of.id })} />
)
