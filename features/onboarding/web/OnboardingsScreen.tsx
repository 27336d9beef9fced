import { Trans, useLingui } from '@lingui/react/macro'
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

/** The menu's own path has no provider's name in it: all of them. */
const ALL = ['all', 'provider']

const idIn = (text = ''): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)
const open = ({ companyId, id }: Row) => setQuery({ onboarding: `${companyId}.${id}` })

/** How far all municipalities are with the payment provider that the address names (specification 2.4, 2.18). */
export default function OnboardingsScreen() {
  const asked = useParam('provider').toLowerCase()
  const isKnown = (providerNames as readonly string[]).includes(asked)
  if (!isKnown && !ALL.includes(asked)) return <NoSuch name={asked} />
  return <Listed key={asked} provider={isKnown ? (asked as ProviderName) : null} />
}

const NoSuch = ({ name }: { name: string }) => (
  <>
    <PageHead title={<Trans>Payment Provider Onboarding</Trans>} />
    <EmptyState
      icon={Landmark}
      title={<Trans>There is no payment provider with this name</Trans>}
      action={
        <Link className="link" to={listPath('all')}>
          <Trans>See all providers</Trans>
        </Link>
      }
    >
      <Trans>The address names {name}.</Trans>
    </EmptyState>
  </>
)

function Listed({ provider }: { provider: ProviderName | null }) {
  const { t } = useLingui()
  const inQuery = useQueryParam('provider')
  const [companyId = null, id = null] = (useQueryParam('onboarding') ?? '').split('.').map(idIn)
  const [adding, setAdding] = useState(false)
  // The list reads what it is asked from the query; which provider it is follows from the path.
  const isAsked = inQuery === provider
  useEffect(() => {
    if (!isAsked) setQuery({ provider })
  }, [isAsked, provider])
  if (!isAsked) return null
  const close = () => setQuery({ onboarding: null, from: null })
  return (
    <>
      <ListScreen
        of={onboardings}
        rowName={({ company, provider: of }) => t`${company} with ${providers[of]}`}
        actions={{ view: open }}
        onRow={open}
        // The tabs say which provider it is.
        filters={{ provider: { words: () => '' } }}
        headActions={
          may('company_setup', 'update') && (
            <Button icon={Plus} onClick={() => setAdding(true)}>
              <Trans>Enter for a provider</Trans>
            </Button>
          )
        }
        cells={{
          company: ({ company }) => <strong>{company}</strong>,
          // On a phone there is little room beside the names of the columns.
          status: ({ status }, label) => (
            <StatusBadge kind={onboardingStates.states[status].kind} className="whitespace-normal! text-start">
              {label}
            </StatusBadge>
          ),
          missing: ({ missingLine }) => <span className="whitespace-normal wrap-anywhere">{missingLine || '–'}</span>,
        }}
        note={
          <p className="mt-4">
            <Link
              className="link"
              to={`${listPath(provider ?? 'all')}?fromDate=-&toDate=-${provider ? `&provider=${provider}` : ''}`}
            >
              <Trans>Show those too that have stood where they are for longer</Trans>
            </Link>
          </p>
        }
        empty={
          <EmptyState icon={Landmark} title={<Trans>Nothing has changed in these days</Trans>}>
            <Trans>Each municipality stands here on the day since when it is where it is.</Trans>
          </EmptyState>
        }
      >
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
      </ListScreen>
      {adding && <AddOnboarding onClose={() => setAdding(false)} />}
      {companyId !== null && id !== null && (
        <OnboardingSlideOut key={`${companyId}.${id}`} companyId={companyId} id={id} onClose={close} />
      )}
    </>
  )
}
