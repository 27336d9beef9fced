import { useLingui, Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { showAlert, transitionAlert } from '../../contract-staff.ts'
import { type Audience, Reach, Cost, SecondPerson } from './Audience.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { call } from '../../../../web/call.ts'
import { refreshAlerts } from './fresh.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { alertStates } from '../../states.ts'
import { QueryLink, Link } from '../../../../web/ui/Link.tsx'
import { Preview } from './Preview.tsx'
import { Part } from './Part.tsx'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { History } from '../../../../web/ui/office/History.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { translated } from '../../../../shared/messages.ts'
import { kinds, severityKinds, severities, urgencies, certainties, channels, deliveryStates } from '../../rules.ts'
import { setQuery } from '../../../../web/go.ts'
import { longInstant } from '../../../../web/clock.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Text, Code } from '../../../../web/ui/Text.tsx'

type ShowAlertResponse = ResponseOf<typeof showAlert>

interface ExistingAlertProps {
  id: number
  loaded: ShowAlertResponse
  audience: Audience | undefined
  /** Opens the confirmation before sending. */
  onApprove: () => void
}

export function ExistingAlert({ id, loaded: alert, audience, onApprove }: ExistingAlertProps) {
  const { t } = useLingui()
  const { status, can } = alert
  const isOpen = status === 'draft' || status === 'waiting'
  const move = async (event: 'approve' | 'return_to_author' | 'withdraw', reason?: string) => {
    if (event === 'approve') return onApprove()
    toast((await call(transitionAlert, { alertId: id, event, ...(reason !== undefined && { reason }) })).message)
    await refreshAlerts()
  }
  return (
    <div className="flex flex-col gap-6">
      {alert.hindrance && (
        <Notice tone="warning" title={<Trans>You cannot send this alert yet</Trans>}>
          {alert.hindrance}
        </Notice>
      )}
      <div>
        <Details alert={alert} />
        {status === 'waiting' && alert.isOwn && (
          <Notice tone="info" className="mt-4">
            <Trans>You submitted this alert. Someone else must approve it.</Trans>
          </Notice>
        )}
        <MoveButtons
          of={alertStates}
          can={can}
          onPress={move}
          dialog={{
            draft: `alert-step-${id}`,
            text: () => <Trans>Describe the changes that the author should make.</Trans>,
          }}
        />
        {can.follow && <FollowButtons />}
      </div>
      {alert.kind === 'update' && alert.about && status === 'sent' && (
        <Notice>
          <Trans>
            To send another update or the all-clear, open alert{' '}
            <QueryLink className="link" set={{ alert: String(alert.about.id) }}>
              {alert.about.number}
            </QueryLink>
            .
          </Trans>
        </Notice>
      )}
      {isOpen && audience && <Recipients audience={audience} isFollowUp={alert.kind !== 'alert'} />}
      {alert.tallies.length > 0 && <Delivered id={id} loaded={alert} />}
      {alert.followUps.length > 0 && <FollowUps followUps={alert.followUps} />}
      <Preview alert={alert} />
      {alert.outline.length > 0 && (
        <Part title={t`Location`}>
          <CompanyMap label={t`Alert area`} outline={alert.outline} />
        </Part>
      )}
      <History history={alert.history} />
    </div>
  )
}

function Details({ alert }: { alert: ShowAlertResponse }) {
  const { t } = useLingui()
  const { form, status } = alert
  const isOpen = status === 'draft' || status === 'waiting'
  const hasEnded = status === 'ended' || status === 'cancelled'
  return (
    <DetailList
      details={[
        [t`Status`, <StateBadge key="status" of={alertStates} state={status} />],
        [t`Number`, alert.number],
        ...(alert.about
          ? [
              [
                translated(kinds[alert.kind]),
                <button
                  key="about"
                  type="button"
                  className="link text-start"
                  onClick={() => setQuery({ alert: String(alert.about?.id) })}
                >
                  {t`Follow-up to alert ${alert.about.number}: ${alert.about.headline}`}
                </button>,
              ] as const,
            ]
          : []),
        [t`Service`, alert.service],
        [t`Event`, form.event],
        [
          t`Severity`,
          <StatusBadge key="severity" kind={severityKinds[form.severity]}>
            {translated(severities[form.severity])}
          </StatusBadge>,
        ],
        [t`Urgency`, translated(urgencies[form.urgency])],
        [t`Certainty`, translated(certainties[form.certainty])],
        [t`Recipients`, alert.areaText || t`Everyone`],
        ...(alert.sentAt ? [[t`Sent`, longInstant(alert.sentAt)] as const] : []),
        ...(!alert.sentAt && alert.sendAt ? [[t`Scheduled for`, longInstant(alert.sendAt)] as const] : []),
        ...(hasEnded ? [] : [[t`Active until`, longInstant(alert.expiresAt)] as const]),
        ...(isOpen ? [] : [[t`People`, String(alert.people)] as const]),
      ]}
    />
  )
}

const follow = (kind: string) => setQuery({ follow: kind })

const FollowButtons = () => (
  <div className="mt-5 flex flex-wrap gap-2">
    <Button size="small" onClick={() => follow('update')}>
      <Trans>Send update</Trans>
    </Button>
    <Button size="small" onClick={() => follow('all_clear')}>
      <Trans>Send all-clear</Trans>
    </Button>
    <Button size="small" onClick={() => follow('cancel')}>
      <Trans>Cancel alert</Trans>
    </Button>
  </div>
)

function FollowUps({ followUps }: Pick<ShowAlertResponse, 'followUps'>) {
  const { t } = useLingui()
  return (
    <Part title={t`Updates`}>
      <ul className="divide-y divide-line">
        {followUps.map((one) => (
          <li key={one.id} className="flex flex-wrap justify-between gap-2 py-2">
            <QueryLink className="link" set={{ alert: String(one.id) }}>
              <Text>{translated(kinds[one.kind])}</Text> <Code>{one.number}</Code>
            </QueryLink>
            <StateBadge of={alertStates} state={one.status} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Recipients({ audience, isFollowUp }: { audience: Audience; isFollowUp: boolean }) {
  const { t } = useLingui()
  const { counted, sample, cost } = audience
  return (
    <Part title={t`Recipients`}>
      <p>
        <Reach of={counted} />
      </p>
      <p className="mt-2 text-muted">
        <Cost of={cost} />
      </p>
      {isFollowUp ? (
        <p className="mt-2 text-muted">
          <Trans>This alert will go to the recipients of the original alert.</Trans>
        </p>
      ) : (
        <DetailList
          className="mt-3"
          details={[
            [t`People with an account in the area`, String(counted.inArea)],
            [t`People who did not choose this service`, String(counted.unwanted)],
            [t`People with no active email, text or call channel`, String(counted.unreachable)],
          ]}
        />
      )}
      <SecondPerson of={audience} className="mt-4" />
      {sample.length > 0 && (
        <>
          <p className="mt-4 mb-1 font-bold">
            <Trans>Sample of recipients</Trans>
          </p>
          <ul className="divide-y divide-line">
            {sample.map((one, at) => (
              <li key={`${one.name} ${at}`} className="flex flex-wrap justify-between gap-x-4 py-1.5">
                <span className="wrap-anywhere">{one.name}</span>
                <span className="text-muted text-sm">
                  <Text>
                    {(['email', 'text', 'call'] as const)
                      .filter((channel) => one[channel])
                      .map((channel) => translated(channels[channel]))
                      .join(', ')}
                  </Text>
                  <Text>{one.language === 'es' && ` · ${t`Spanish`}`}</Text>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  )
}

function Delivered({ id, loaded: { tallies } }: { id: number; loaded: ShowAlertResponse }) {
  const { t } = useLingui()
  return (
    <Part title={t`Delivery`}>
      <ul className="divide-y divide-line">
        {tallies.map(({ channel, state, count }) => (
          <li key={`${channel} ${state}`} className="flex justify-between gap-4 py-1.5">
            <span>
              <Text>{translated(channels[channel])}</Text>: <Text>{translated(deliveryStates[state])}</Text>
            </span>
            <span className="tabular-nums">{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3">
        <Link className="link" to={`/municipality/reports/alerts?alertId=${id}&days=all`}>
          <Trans>Delivery report by person</Trans>
        </Link>
      </p>
    </Part>
  )
}
