import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FlaskConical, Pencil, Send, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/words.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { longInstant } from '../../../../web/clock.ts'
import { setQuery } from '../../../../web/go.ts'
import { CompanyMap } from '../../../../web/places/TownMap.tsx'
import { useAnswer } from '../../../../web/query.ts'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { CloseAction, ConfirmDialog, SlideOut } from '../../../../web/ui/Dialog.tsx'
import { Link, QueryLink } from '../../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { History } from '../../../../web/ui/office/History.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { countAudience, moveAlert, removeAlert, showAlert, submitAlert, testAlert } from '../../contract-staff.ts'
import {
  certainties,
  channels,
  deliveryStates,
  kinds,
  prefixOf,
  severities,
  severityKinds,
  urgencies,
} from '../../rules.ts'
import { alertStates } from '../../states.ts'
import { renewAlerts } from './fresh.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

type ShowAlertResponse = ResponseOf<typeof showAlert>
type Audience = ResponseOf<typeof countAudience>

interface Props {
  id: number
  onClose: () => void
}

/** Shows an alert as recipients see it, with its audience and delivery results. */
export function AlertSlideOut({ id, onClose }: Props) {
  const { t } = useLingui()
  const answer = useAnswer(showAlert, { alertId: id })
  const { data } = answer
  const [asks, setAsks] = useState<'send' | 'approve' | 'remove' | null>(null)
  const audience = useAnswer(countAudience, { alertId: id })
  const [busy, setBusy] = useState(false)
  const runAction = async (work: () => Promise<{ message: string }>, then?: () => void) => {
    setBusy(true)
    try {
      toast((await work()).message)
      then?.()
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    setAsks(null)
    setBusy(false)
    await renewAlerts()
  }
  return (
    <>
      <SlideOut
        title={data?.form.en.headline ?? t`Alert`}
        onClose={onClose}
        actions={
          <>
            {data?.can.submit && (
              <Button
                look="primary"
                icon={Send}
                disabled={!audience.data || data.hindrance !== ''}
                onClick={() => setAsks('send')}
              >
                <Trans>Send</Trans>
              </Button>
            )}
            {data?.can.edit && (
              <Button icon={Pencil} onClick={() => setQuery({ edit: '1' })}>
                <Trans>Change</Trans>
              </Button>
            )}
            {data?.can.test && (
              <Button
                icon={FlaskConical}
                disabled={busy}
                onClick={() => void runAction(() => call(testAlert, { alertId: id }))}
              >
                <Trans>Test to me</Trans>
              </Button>
            )}
            {data?.can.remove && (
              <Button icon={Trash2} onClick={() => setAsks('remove')}>
                <Trans>Remove</Trans>
              </Button>
            )}
            <CloseAction onClose={onClose} />
          </>
        }
      >
        <Answered answer={answer} loading={<Trans>Loading the alert</Trans>} shape="lines">
          {(loaded) => (
            <ExistingAlert id={id} loaded={loaded} audience={audience.data} onApprove={() => setAsks('approve')} />
          )}
        </Answered>
      </SlideOut>
      {asks === 'send' && audience.data && (
        <ConfirmDialog
          title={<Trans>Send this alert?</Trans>}
          confirmLabel={
            audience.data.secondPerson ? <Trans>Hand it to a second person</Trans> : <Trans>Send the alert</Trans>
          }
          busy={busy}
          onConfirm={() =>
            void runAction(() => call(submitAlert, { alertId: id, people: audience.data?.counted.people ?? 0 }))
          }
          onClose={() => setAsks(null)}
        >
          <Leaves audience={audience.data} sendAt={data?.sendAt ?? null} />
          <SecondPerson of={audience.data} className="mt-3" />
        </ConfirmDialog>
      )}
      {asks === 'approve' && (
        <ConfirmDialog
          title={<Trans>Approve and send this alert?</Trans>}
          confirmLabel={<Trans>Approve and send</Trans>}
          busy={busy}
          onConfirm={() => void runAction(() => call(moveAlert, { alertId: id, event: 'approve' }))}
          onClose={() => setAsks(null)}
        >
          <Answered answer={audience} loading={<Trans>Counting whom it reaches</Trans>} shape="lines">
            {(counted) => <Leaves audience={counted} sendAt={data?.sendAt ?? null} />}
          </Answered>
        </ConfirmDialog>
      )}
      {asks === 'remove' && (
        <ConfirmDialog
          title={<Trans>Remove this draft?</Trans>}
          confirmLabel={<Trans>Remove the draft</Trans>}
          danger
          busy={busy}
          onConfirm={() => void runAction(() => call(removeAlert, { alertId: id }), onClose)}
          onClose={() => setAsks(null)}
        >
          <Trans>Its words are gone for good. Nobody was told of it.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

const Reach = ({ of: { people, email, text, call: calls } }: { of: Audience['counted'] }) => (
  <Trans>
    It reaches <Plural value={people} one="# person" other="# people" />:{' '}
    <Plural value={email} one="# mail" other="# mails" />, <Plural value={text} one="# text" other="# texts" /> and{' '}
    <Plural value={calls} one="# call" other="# calls" />.
  </Trans>
)

const Cost = ({ of: { segments, minutes } }: { of: Audience['cost'] }) => (
  <Trans>
    Texts are paid as <Plural value={segments} one="# segment" other="# segments" /> and calls as{' '}
    <Plural value={minutes} one="# minute" other="# minutes" /> at most, if each is answered the first time.
  </Trans>
)

function SecondPerson({ of: { secondPerson, over }, className }: { of: Audience; className?: string }) {
  if (secondPerson === '') return null
  return (
    <Notice tone="info" {...(className && { className })}>
      {secondPerson === 'severity' ? (
        <Trans>Of the highest severity: a second person has to approve it.</Trans>
      ) : (
        <Trans>To more than {over} people: a second person has to approve it.</Trans>
      )}
    </Notice>
  )
}

/** Shows recipients, time and cost before sending, which can't be undone. */
function Leaves({ audience, sendAt }: { audience: Audience; sendAt: string | null }) {
  const [now] = useState(() => new Date().toISOString())
  return (
    <>
      <p>
        <Reach of={audience.counted} />{' '}
        <strong>
          {sendAt && sendAt > now ? (
            <Trans>It is sent on {longInstant(sendAt)}.</Trans>
          ) : (
            <Trans>It is sent at once.</Trans>
          )}
        </strong>
      </p>
      <p className="mt-2 text-muted">
        <Cost of={audience.cost} />
      </p>
    </>
  )
}

interface ExistingAlertProps {
  id: number
  loaded: ShowAlertResponse
  audience: Audience | undefined
  /** Opens the confirmation before sending. */
  onApprove: () => void
}

function ExistingAlert({ id, loaded: known, audience, onApprove }: ExistingAlertProps) {
  const { t } = useLingui()
  const { form, status, can } = known
  const isOpen = status === 'draft' || status === 'waiting'
  const isOver = status === 'ended' || status === 'cancelled'
  const move = async (event: 'approve' | 'return_to_author' | 'withdraw', reason?: string) => {
    if (event === 'approve') return onApprove()
    toast((await call(moveAlert, { alertId: id, event, ...(reason !== undefined && { reason }) })).message)
    await renewAlerts()
  }
  const follow = (kind: string) => setQuery({ follow: kind })
  return (
    <div className="flex flex-col gap-6">
      {known.hindrance && (
        <Notice tone="warning" title={<Trans>It can’t be sent yet</Trans>}>
          {known.hindrance}
        </Notice>
      )}
      <div>
        <DetailList
          details={[
            [t`Status`, <StateBadge key="status" of={alertStates} state={status} />],
            [t`Number`, known.number],
            ...(known.about
              ? [
                  [
                    translated(kinds[known.kind]),
                    <button
                      key="about"
                      type="button"
                      className="link text-start"
                      onClick={() => setQuery({ alert: String(known.about?.id) })}
                    >
                      {t`of ${known.about.number}: ${known.about.headline}`}
                    </button>,
                  ] as const,
                ]
              : []),
            [t`Service`, known.service],
            [t`Event`, form.event],
            [
              t`Severity`,
              <StatusBadge key="severity" kind={severityKinds[form.severity]}>
                {translated(severities[form.severity])}
              </StatusBadge>,
            ],
            [t`Urgency`, translated(urgencies[form.urgency])],
            [t`Certainty`, translated(certainties[form.certainty])],
            [t`For`, known.areaWords || t`Everybody`],
            ...(known.sentAt ? [[t`Sent`, longInstant(known.sentAt)] as const] : []),
            ...(!known.sentAt && known.sendAt ? [[t`To be sent`, longInstant(known.sendAt)] as const] : []),
            ...(isOver ? [] : [[t`In force until`, longInstant(known.expiresAt)] as const]),
            ...(isOpen ? [] : [[t`People`, String(known.people)] as const]),
          ]}
        />
        {status === 'waiting' && known.isOwn && (
          <Notice tone="info" className="mt-4">
            <Trans>You sent it. Somebody else has to approve it.</Trans>
          </Notice>
        )}
        <MoveButtons
          of={alertStates}
          can={can}
          onPress={move}
          asks={{ draft: `alert-step-${id}`, says: () => <Trans>Say what is to be changed.</Trans> }}
        />
        {can.follow && (
          <div className="mt-5 flex flex-wrap gap-2">
            <Button size="small" onClick={() => follow('update')}>
              <Trans>Update</Trans>
            </Button>
            <Button size="small" onClick={() => follow('all_clear')}>
              <Trans>All-clear</Trans>
            </Button>
            <Button size="small" onClick={() => follow('cancel')}>
              <Trans>Cancel the alert</Trans>
            </Button>
          </div>
        )}
      </div>
      {known.kind === 'update' && known.about && status === 'sent' && (
        <Notice>
          <Trans>
            The next update and the all-clear go out from{' '}
            <QueryLink className="link" set={{ alert: String(known.about.id) }}>
              {known.about.number}
            </QueryLink>
            .
          </Trans>
        </Notice>
      )}
      {isOpen && audience && <WhoGetsIt audience={audience} isNews={known.kind !== 'alert'} />}
      {known.tallies.length > 0 && <Delivered id={id} loaded={known} />}
      {known.news.length > 0 && (
        <Part title={t`News of it`}>
          <ul className="divide-y divide-line">
            {known.news.map((one) => (
              <li key={one.id} className="flex flex-wrap justify-between gap-2 py-2">
                <QueryLink className="link" set={{ alert: String(one.id) }}>
                  <Text>{translated(kinds[one.kind])}</Text> <Code>{one.number}</Code>
                </QueryLink>
                <StateBadge of={alertStates} state={one.status} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Preview known={known} />
      {known.outline.length > 0 && (
        <Part title={t`Where`}>
          <CompanyMap label={t`The area of the alert`} outline={known.outline} />
        </Part>
      )}
      <History history={known.history} />
    </div>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-line border-t pt-5">
    <h3 className="mb-2 text-lg">{title}</h3>
    <Text>{children}</Text>
  </section>
)

function WhoGetsIt({ audience, isNews }: { audience: Audience; isNews: boolean }) {
  const { t } = useLingui()
  const { counted, sample, cost } = audience
  return (
    <Part title={t`Who gets it`}>
      <p>
        <Reach of={counted} />
      </p>
      <p className="mt-2 text-muted">
        <Cost of={cost} />
      </p>
      {isNews ? (
        <p className="mt-2 text-muted">
          <Trans>They are those who got the first alert.</Trans>
        </p>
      ) : (
        <DetailList
          className="mt-3"
          details={[
            [t`In the area, with an account`, String(counted.inArea)],
            [t`Did not choose this service`, String(counted.unwanted)],
            [t`Can’t be reached: nothing confirmed, or stopped`, String(counted.unreachable)],
          ]}
        />
      )}
      <SecondPerson of={audience} className="mt-4" />
      {sample.length > 0 && (
        <>
          <p className="mt-4 mb-1 font-bold">
            <Trans>Some of them</Trans>
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
          <Trans>Each person in the report</Trans>
        </Link>
      </p>
    </Part>
  )
}

/** Shows the alert as each channel delivers it. */
function Preview({ known: { form, kind, texts, calls } }: { known: ShowAlertResponse }) {
  const { t } = useLingui()
  const languages = form.es.headline
    ? ([
        ['en', form.en],
        ['es', form.es],
      ] as const)
    : ([['en', form.en]] as const)
  return (
    <Part title={t`What people read and hear`}>
      {form.onPages && (
        <p className="mb-4 border-danger border-s-4 bg-tint px-4 py-3">
          <span className="block text-muted text-sm">
            <Trans>On each page</Trans>
          </span>
          <strong className="wrap-anywhere">{form.en.headline}</strong>
        </p>
      )}
      {form.byEmail &&
        languages.map(([language, alertText]) => (
          <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
            <p className="text-muted text-sm" lang="en">
              {language === 'es' ? t`Mail, in Spanish` : t`Mail`}
            </p>
            <p className="wrap-anywhere font-bold">
              <Text>{prefixOf(kind, language)}</Text>
              <Text>{alertText.headline}</Text>
            </p>
            {[alertText.description, alertText.instruction].filter(Boolean).map((text) => (
              <p key={text} className="wrap-anywhere mt-2 whitespace-pre-line">
                {text}
              </p>
            ))}
          </div>
        ))}
      {texts.map(({ language, body, segments }) => (
        <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
          <p className="text-muted text-sm" lang="en">
            <Text>{language === 'es' ? t`Text, in Spanish` : t`Text`}</Text> ·{' '}
            <Trans>
              paid as <Plural value={segments} one="# segment" other="# segments" />
            </Trans>
          </p>
          <p className="wrap-anywhere mt-1">{body}</p>
        </div>
      ))}
      {calls.map(({ language, said, seconds, minutes }) => (
        <div key={language} lang={language} className="mb-4 rounded-sm border border-line bg-surface px-4 py-3">
          <p className="text-muted text-sm" lang="en">
            <Text>{language === 'es' ? t`Call, in Spanish` : t`Call`}</Text> ·{' '}
            <Trans>
              said twice, about <Plural value={seconds} one="# second" other="# seconds" /> with the keys to press, paid
              as <Plural value={minutes} one="# minute" other="# minutes" />
            </Trans>
          </p>
          <p className="wrap-anywhere mt-1">{said}</p>
        </div>
      ))}
    </Part>
  )
}
