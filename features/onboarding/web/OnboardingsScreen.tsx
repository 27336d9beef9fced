import { Trans, useLingui } from '@lingui/react/macro'
import { idIn } from '../../../web/id-in.ts'
import { Landmark, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useParam, useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { onboardings } from '../list.ts'
import { listPath, type ProviderName, providerNames, providers } from '../rules.ts'
import { onboardingStates } from '../states.ts'
import { AddOnboarding } from './AddOnboarding.tsx'
import { OnboardingSlideOut } from './OnboardingSlideOut.tsx'

type Row = RowOf<typeof onboardings>

/**
 * Values of the provider in the path that mean all providers. The path in the menu contains the word `provider` instead
 * of a name.
 */
const ALL = ['all', 'provider']

const open = ({ companyId, id }: Row) => setQuery({ onboarding: `${companyId}.${id}` })

/** Screen that lists the onboardings with the provider in the URL, for all municipalities (spec 2.4, 2.18). */
export default function OnboardingsScreen() {
  const providerParam = useParam('provider').toLowerCase()
  const isProviderName = (providerNames as readonly string[]).includes(providerParam)
  if (!isProviderName && !ALL.includes(providerParam)) return <NoSuch name={providerParam} />
  return <Listed key={providerParam} provider={isProviderName ? (providerParam as ProviderName) : null} />
}

const NoSuch = ({ name }: { name: string }) => (
  <>
    <PageHead title={<Trans>Payment Provider Onboarding</Trans>} />
    <EmptyState
      icon={Landmark}
      title={<Trans>Payment provider not found</Trans>}
      action={
        <Link className="link" to={listPath('all')}>
          <Trans>View all providers</Trans>
        </Link>
      }
    >
      <Trans>No payment provider is named “{name}”. Check the web address.</Trans>
    </EmptyState>
  </>
)

function Listed({ provider }: { provider: ProviderName | null }) {
  const { t } = useLingui()
  const inQuery = useQueryParam('provider')
  const [companyId = null, id = null] = (useQueryParam('onboarding') ?? '').split('.').map(idIn)
  const [adding, setAdding] = useState(false)
  // The list reads its filters from the query, so the provider of the path is copied there.
  const isInQuery = inQuery === provider
  useEffect(() => {
    if (!isInQuery) setQuery({ provider })
  }, [isInQuery, provider])
  if (!isInQuery) return null
  const close = () => setQuery({ onboarding: null, from: null })
  return (
    <>
      <ListScreen
        of={onboardings}
        tabs={
          <Sections>
            {[null, ...providerNames].map((name) => (
              <Section
                key={name ?? 'all'}
                to={listPath(name ?? 'all') + (name ? `?provider=${name}` : '')}
                active={name === provider}
              >
                {name ? providers[name] : <Trans>All providers</Trans>}
              </Section>
            ))}
          </Sections>
        }
        rowName={({ company, provider: of }) => t`${company}, onboarding with ${providers[of]}`}
        actions={{ view: open }}
        onRow={open}
        // The tabs show the provider, so the filter needs no label.
        filters={{ provider: { labelFor: () => '' } }}
        headActions={
          may('settings', 'update') && (
            <Button icon={Plus} onClick={() => setAdding(true)}>
              <Trans>Add onboarding</Trans>
            </Button>
          )
        }
        cells={{
          company: ({ company }) => <strong>{company}</strong>,
          status: ({ status }, label) => <StatusBadge kind={onboardingStates.states[status].kind}>{label}</StatusBadge>,
          missing: ({ missingLine }) => missingLine || '–',
        }}
        note={
          <p className="mt-4">
            <Link
              className="link"
              to={`${listPath(provider ?? 'all')}?fromDate=-&toDate=-${provider ? `&provider=${provider}` : ''}`}
            >
              <Trans>Show onboardings from all dates</Trans>
            </Link>
          </p>
        }
        empty={
          <EmptyState icon={Landmark} title={<Trans>No status changes in this period</Trans>}>
            <Trans>Each municipality is listed by the date of its last status change.</Trans>
          </EmptyState>
        }
      />
      {adding && <AddOnboarding onClose={() => setAdding(false)} />}
      {companyId !== null && id !== null && (
        <OnboardingSlideOut key={`${companyId}.${id}`} companyId={companyId} id={id} onClose={close} />
      )}
    </>
  )
}
