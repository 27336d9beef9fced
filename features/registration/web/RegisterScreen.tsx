import { Trans, useLingui } from '@lingui/react/macro'
import { Building2, House, KeyRound, type LucideIcon } from 'lucide-react'
import { formatDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/messages.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Card, Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { myRegistrations } from '../contract.ts'
import { type Kind, kinds, OWN_PATH } from '../rules.ts'
import { registrationStates } from '../states.ts'
import { ConfirmButton } from './ConfirmButton.tsx'
import { NewRegistration } from './NewRegistration.tsx'
import { OfferedRegistration } from './OfferedRegistration.tsx'
import { OneRegistration } from './OneRegistration.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type MyRegistrationsResponse = ResponseOf<typeof myRegistrations>

/**
 * Screen for a resident's registrations (spec 2.1): the list, one registration, a new registration, or the offer of a
 * transfer from another person.
 */
export default function RegisterScreen() {
  const kind = Number(useQueryParam('new'))
  const id = Number(useQueryParam('registration')) || 0
  const token = useQueryParam('offer')
  const isNew = kind in kinds
  const isVisible = isNew || id > 0 || token !== null
  return (
    <Measure className="py-10 md:py-14">
      {isVisible && (
        <p className="mb-3">
          <Link className="link" to={OWN_PATH}>
            <Trans>All your registrations</Trans>
          </Link>
        </p>
      )}
      <PageHead title={<Trans>Registration</Trans>}>
        {!isVisible && (
          <Trans>
            Tell us who lives in your home, which businesses you run and which properties you rent out. In an emergency,
            this information helps first responders.
          </Trans>
        )}
      </PageHead>
      {isNew ? (
        <NewRegistration key={kind} kind={kind as Kind} />
      ) : id > 0 ? (
        <OneRegistration key={id} id={id} />
      ) : token !== null ? (
        <OfferedRegistration token={token} />
      ) : (
        <All />
      )}
    </Measure>
  )
}

function All() {
  const response = useResponse(myRegistrations, {})
  return (
    <ResponseView response={response} shape="block" loading={<Trans>Loading your registrations</Trans>}>
      {(own) => (
        <div className="grid gap-8">
          {own.registrations.length > 0 && (
            <Panel id="own" title={<Trans>Your registrations</Trans>}>
              <ul className="divide-y divide-line">
                {own.registrations.map((one) => (
                  <Row key={one.id} one={one} />
                ))}
              </ul>
            </Panel>
          )}
          <StartRegistration drafts={own.drafts} />
          <Alerts />
        </div>
      )}
    </ResponseView>
  )
}

function Row({ one }: { one: MyRegistrationsResponse['registrations'][number] }) {
  const { id, number, kind, name, location, status, confirmBy, text, can } = one
  return (
    <li className="flex flex-col gap-2 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <Link className="link wrap-anywhere font-bold" to={`${OWN_PATH}?registration=${id}`}>
            {name}
          </Link>
          <p className="wrap-anywhere text-muted text-sm">
            <Text>{translated(kinds[kind])}</Text> · <Text>{number}</Text> · <Text>{location}</Text>
          </p>
        </div>
        <StateBadge of={registrationStates} state={status} />
      </div>
      {text && <Notice tone="warning">{text}</Notice>}
      {can.confirm && (
        <div className="flex flex-wrap items-center gap-3">
          <ConfirmButton id={id} />
          <LinkButton to={`${OWN_PATH}?registration=${id}&edit=1`}>
            <Trans>Report changes</Trans>
          </LinkButton>
          {confirmBy && status === 'due' && (
            <span className="text-muted text-sm">
              <Trans>Confirm by {formatDate(confirmBy)}</Trans>
            </span>
          )}
        </div>
      )}
    </li>
  )
}

const Alerts = () => (
  <Card className="flex flex-wrap items-center justify-between gap-4">
    <div className="min-w-0 flex-1 basis-72">
      <h2 className="text-h3">
        <Trans>Emergency alerts</Trans>
      </h2>
      <p className="text-muted">
        <Trans>Choose which alerts you get by email or text, and in which language.</Trans>
      </p>
    </div>
    <LinkButton to="/alerts?choose=1">
      <Trans>Your alerts</Trans>
    </LinkButton>
  </Card>
)

const icons: Record<Kind, LucideIcon> = { 1: House, 2: Building2, 3: KeyRound }

function StartRegistration({ drafts }: { drafts: readonly Kind[] }) {
  const { t } = useLingui()
  const descriptions: Record<Kind, string> = {
    1: t`People and pets at home, emergency needs and your notifications.`,
    2: t`Ownership, hours, license, alarm permit and emergency contacts.`,
    3: t`Owner and manager, units and tenants, and upcoming inspections.`,
  }
  return (
    <section aria-labelledby="start">
      <h2 id="start" className="mb-4 text-h3">
        <Trans>Start a registration</Trans>
      </h2>
      <ul className="grid gap-4 md:grid-cols-3">
        {([1, 2, 3] as const).map((kind) => {
          const Icon = icons[kind]
          const label = translated(kinds[kind])
          return (
            <Card key={kind} as="li" className="flex flex-col items-start gap-3">
              <Icon aria-hidden className="size-8 text-link" />
              <h3 className="text-lg">{label}</h3>
              <p className="grow text-muted">{descriptions[kind]}</p>
              <LinkButton to={`${OWN_PATH}?new=${kind}`} variant="primary">
                {drafts.includes(kind) ? (
                  <Trans>
                    Continue<span className="spoken"> {label}</span>
                  </Trans>
                ) : (
                  <Trans>
                    Start<span className="spoken"> {label}</span>
                  </Trans>
                )}
              </LinkButton>
            </Card>
          )
        })}
      </ul>
    </section>
  )
}
