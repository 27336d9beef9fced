import { Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink, Files, PackagePlus, Users } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { setQuery } from '../../../../web/go.ts'
import { page } from '../../../../web/page.ts'
import { useResponse } from '../../../../web/query.ts'
import { useRouterLocation } from '../../../../web/router/Outlet.tsx'
import { useParam, useQueryParam } from '../../../../web/routes.tsx'
import { may } from '../../../../web/session.ts'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { cx } from '../../../../web/ui/cx.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { PageHead } from '../../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { returnConfig } from '../../contract.ts'
import { returnSetup } from '../../contract-setup.ts'
import { sectionNames } from '../../report.ts'
import { AlertsSection } from './AlertsSection.tsx'
import { AnnouncementsSection } from './AnnouncementsSection.tsx'
import { ContactsSection } from './ContactsSection.tsx'
import { DetailsSection } from './DetailsSection.tsx'
import { FeesSection } from './FeesSection.tsx'
import { HistorySection } from './HistorySection.tsx'
import { HoursSection } from './HoursSection.tsx'
import { MessageSection } from './MessageSection.tsx'
import { ModulesSection } from './ModulesSection.tsx'
import { PaymentsSection } from './PaymentsSection.tsx'
import { ProcessorsSection } from './ProcessorsSection.tsx'
import { GetStarted } from '../parts/GetStarted.tsx'
import { SharingSection } from './SharingSection.tsx'
import { SignInSection } from './SignInSection.tsx'
import { isUnsaved, type CompanyConfigResponse } from './company.ts'
import { TextsSection } from './TextsSection.tsx'
import { ThemeSection } from './ThemeSection.tsx'
import { TilesSection } from './TilesSection.tsx'
import { TransferSection } from './TransferSection.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

const parts = {
  details: DetailsSection,
  hours: HoursSection,
  modules: ModulesSection,
  tiles: TilesSection,
  theme: ThemeSection,
  message: MessageSection,
  payments: PaymentsSection,
  fees: FeesSection,
  processors: ProcessorsSection,
  alerts: AlertsSection,
  texts: TextsSection,
  announcements: AnnouncementsSection,
  contacts: ContactsSection,
  sharing: SharingSection,
  signing: SignInSection,
  history: HistorySection,
  transfer: TransferSection,
} as const
type Part = keyof typeof parts

/** Lists the parts of the screen that the person may see, in the order of `parts`. */
function partsFor({ isPlatform, sections }: CompanyConfigResponse): Part[] {
  const others: Partial<Record<Part, boolean>> = {
    ...{ fees: !isPlatform && may('fees', 'view'), signing: true, history: true, transfer: isPlatform },
  }
  return (Object.keys(parts) as Part[]).filter((part) => others[part] ?? part in sections)
}

/**
 * Screen with the settings of a company by section (spec 2.4, 3). The administrator portal names the company in the
 * path. The back office shows the settings of the signed-in person's municipality.
 */
export default function InformationScreen() {
  const param = useParam('companyId')
  const isPlatform = param !== ''
  const { data, error, refetch } = useResponse(returnConfig, isPlatform ? { companyId: Number(param) } : {})
  // The card above the section would move the section down, so both appear together.
  const setup = useResponse(returnSetup, { companyId: isPlatform ? Number(param) : (page().company?.id ?? 0) })
  const sectionParam = useQueryParam('section')
  if (!data || setup.isPending)
    return (
      <>
        <PageHead title={isPlatform ? <Trans>Company Information</Trans> : <Trans>Settings</Trans>} />
        {error && !data ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingState>
            {isPlatform ? <Trans>Loading company information</Trans> : <Trans>Loading settings</Trans>}
          </LoadingState>
        )}
      </>
    )
  const companyConfig = { ...data, isPlatform } as unknown as CompanyConfigResponse
  const order = partsFor(companyConfig)
  const part = order.find((id) => id === sectionParam) ?? order[0] ?? 'history'
  return <CompanyInformation companyConfig={companyConfig} order={order} part={part} />
}

interface CompanyInformationProps {
  companyConfig: CompanyConfigResponse
  order: readonly Part[]
  part: Part
}

function CompanyInformation({ companyConfig, order, part }: CompanyInformationProps) {
  const { t } = useLingui()
  const { company, config, isPlatform } = companyConfig
  const Section = parts[part]
  const labels = useLabels()
  const online = config.details.is_online === 1
  const section = useFocusedSection(part)
  return (
    <>
      <PageHead
        title={isPlatform ? <Trans>Company Information</Trans> : <Trans>Settings</Trans>}
        actions={
          isPlatform ? (
            <PlatformLinks company={company} />
          ) : (
            <LinkButton to={company.url} target="_blank" icon={ExternalLink}>
              <Trans>Open residents' site</Trans>
            </LinkButton>
          )
        }
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <strong className="text-ink text-lg">{company.name}</strong>
          <StatusBadge kind={online ? 'good' : 'neutral'}>{online ? t`Online` : t`Offline`}</StatusBadge>
          <span className="wrap-anywhere">{company.url.replace(/^https?:\/\//, '')}</span>
        </span>
      </PageHead>
      <GetStarted companyId={company.id} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-8">
        <div className="lg:hidden">
          <Select
            label={t`Section`}
            value={part}
            onChange={(event) => setQuery({ section: event.target.value })}
            options={order.map((id) => ({ value: id, label: labels[id] }))}
          />
        </div>
        <nav aria-label={t`Sections`} className="hidden lg:sticky lg:top-6 lg:block">
          <ul className="flex flex-col border-line border-s-2">
            {order.map((id) => (
              <li key={id}>
                <Link
                  to={`?section=${id}`}
                  aria-current={id === part ? 'true' : undefined}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return
                    event.preventDefault()
                    setQuery({ section: id, from: null })
                  }}
                  className={cx(
                    'block min-h-8 px-4 py-1.5 no-underline',
                    id === part
                      ? '-ms-0.5 border-link border-s-4 bg-tint font-bold text-ink'
                      : 'text-link hover:bg-tint hover:underline',
                  )}
                >
                  <Text>{labels[id]}</Text>
                  {isUnsaved(company.id, id) && (
                    <span className="ms-2 font-bold text-warning text-xs">
                      <Trans>not saved</Trans>
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={section}>
          {part === 'fees' ? (
            <FeesSection />
          ) : (
            <Card aria-labelledby="section-title">
              <Section key={`${company.id} ${part}`} companyConfig={companyConfig} />
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

/**
 * Moves the focus to the section when a person chooses it or follows a link to it, such as a step of Get Started.
 * @returns the ref of the section's container
 */
function useFocusedSection(part: Part) {
  const section = useRef<HTMLDivElement>(null)
  const focusedPart = useRef(part)
  const location = useRouterLocation()
  const isNamed = useQueryParam('section') === part
  useEffect(() => {
    const isChosen = focusedPart.current !== part
    focusedPart.current = part
    if (!isChosen && !(isNamed && location.how === 'push')) return
    // A new screen first moves the focus to its own heading.
    const frame = requestAnimationFrame(() => {
      const title = section.current?.querySelector('h2')
      title?.focus({ preventScroll: true })
      title?.scrollIntoView()
    })
    return () => cancelAnimationFrame(frame)
  }, [part, isNamed, location])
  return section
}

const PlatformLinks = ({ company }: Pick<CompanyConfigResponse, 'company'>) => (
  <>
    {may('user_management', 'view') && (
      <LinkButton to={`/admin/${company.id}/company/staff`} icon={Users}>
        <Trans>Staff and privileges</Trans>
      </LinkButton>
    )}
    {may('manage_others_forms', 'view') && (
      <LinkButton to={`/admin/manage/manage-forms-and-docs?company=${company.id}`} icon={Files}>
        <Trans>Forms and documents</Trans>
      </LinkButton>
    )}
    {may('company_setup', 'update') && (
      <LinkButton to={`/admin/${company.id}/company/starter-packs`} icon={PackagePlus}>
        <Trans>Starter packs</Trans>
      </LinkButton>
    )}
    <LinkButton to={company.url} target="_blank" icon={ExternalLink}>
      <Trans>Open municipality site</Trans>
    </LinkButton>
  </>
)

function useLabels(): Record<Part, string> {
  const { t } = useLingui()
  return {
    ...sectionNames,
    fees: t`Fee Rules`,
    signing: t`Signing in`,
    history: t`History`,
    transfer: t`Export and import`,
  }
}
