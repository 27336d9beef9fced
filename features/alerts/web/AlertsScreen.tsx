import { Trans, useLingui } from '@lingui/react/macro'
import { Bell } from 'lucide-react'
import { useState } from 'react'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { CompanyMap } from '../../../web/places/CompanyMap.tsx'
import { idIn } from '../../../web/id-in.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryText } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { messageOf } from '../../../web/call.ts'
import { publicAlert, publicAlerts, type AlertView } from '../contract.ts'
import { CHOOSE_PATH, kinds, READ_PATH, textIn, severityKinds, severityLabels } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Format names that are the same in every language. */
const feeds = [
  { file: 'rss.xml', name: 'RSS' },
  { file: 'feed.xml', name: 'Atom, CAP' },
  { file: 'feed.json', name: 'JSON' },
]

/** Returns the id of the alert in a query string, or null. */
export const alertIn = (query: URLSearchParams): number | null => idIn(query.get('alert'))

/** Shows the company's public alerts, current and past. */
export function AlertsScreen() {
  const id = alertIn(new URLSearchParams(useQueryText()))
  return (
    <Measure className="py-10 md:py-14">
      {id !== null && (
        <p className="mb-3">
          <Link className="link" to={READ_PATH}>
            <Trans>All alerts</Trans>
          </Link>
        </p>
      )}
      <PageHead
        title={<Trans>Alerts</Trans>}
        actions={
          <LinkButton to={CHOOSE_PATH}>
            <Trans>Choose your alerts</Trans>
          </LinkButton>
        }
      >
        <Trans>Warnings and urgent messages from {page().siteName}.</Trans>
      </PageHead>
      {id !== null ? <One key={id} id={id} /> : <All />}
      {id === null && (
        <p className="mt-10 flex flex-wrap gap-x-4 gap-y-1 text-sm print:hidden">
          <span className="text-muted">
            <Trans>Feeds for news reader apps and broadcasters:</Trans>
          </span>
          {feeds.map(({ file, name }) => (
            <a key={file} className="link" href={`${READ_PATH}/${file}`}>
              {name}
            </a>
          ))}
        </p>
      )}
    </Measure>
  )
}

function All() {
  const { t } = useLingui()
  const response = useResponse(publicAlerts, {})
  const [older, setOlder] = useState<{ past: AlertView[]; more: boolean } | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  return (
    <ResponseView response={response} loading={<Trans>Loading alerts</Trans>}>
      {({ current, past: newest, more: hasMore }) => {
        const past = [...newest, ...(older?.past ?? [])]
        const showMore = async () => {
          try {
            const next = await call(publicAlerts, { before: past.at(-1)?.id ?? null })
            setOlder({ past: [...(older?.past ?? []), ...next.past], more: next.more })
            setRefusal(null)
          } catch (error) {
            setRefusal(messageOf(error))
          }
        }
        return (
          <div className="grid gap-10">
            <section aria-label={t`Active`} className="grid gap-4">
              <h2>
                <Trans>Active</Trans>
              </h2>
              {current.length === 0 ? (
                <EmptyState icon={Bell} title={<Trans>No active alerts</Trans>}>
                  <Trans>New alerts appear immediately, here and at the top of every page.</Trans>
                </EmptyState>
              ) : (
                current.map((one) => <AlertBody key={one.id} of={one} isLink />)
              )}
            </section>
            {past.length > 0 && (
              <section aria-label={t`Past`} className="grid gap-3">
                <h2>
                  <Trans>Past</Trans>
                </h2>
                <ul className="divide-y divide-line border-line border-y">
                  {past.map((one) => (
                    <Past key={one.id} of={one} />
                  ))}
                </ul>
                <Refusal>{refusal}</Refusal>
                {(older?.more ?? hasMore) && (
                  <p>
                    <Button onClick={() => void showMore()}>
                      <Trans>Show older alerts</Trans>
                    </Button>
                  </p>
                )}
              </section>
            )}
          </div>
        )
      }}
    </ResponseView>
  )
}

const useAlertText = ({ content }: AlertView) => {
  const { i18n } = useLingui()
  const language = i18n.locale.startsWith('es') && content.es ? 'es' : 'en'
  return { language, ...textIn(content, language) }
}

function Past({ of }: { of: AlertView }) {
  const { headline, language } = useAlertText(of)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <Link className="link wrap-anywhere font-bold" to={`${READ_PATH}?alert=${of.id}`}>
          <span lang={language}>{headline}</span>
        </Link>
        <p className="text-muted text-sm">
          <Text>{of.service}</Text> · <Text>{longInstant(of.sentAt)}</Text>
        </p>
      </div>
      <AlertStatus of={of} />
    </li>
  )
}

const AlertStatus = ({ of: { isCancelled, hasEnded, severity } }: { of: AlertView }) =>
  isCancelled ? (
    <StatusBadge kind="undone">
      <Trans>Cancelled</Trans>
    </StatusBadge>
  ) : hasEnded ? (
    <StatusBadge kind="neutral">
      <Trans>Ended</Trans>
    </StatusBadge>
  ) : (
    <StatusBadge kind={severityKinds[severity]}>{translated(severityLabels[severity])}</StatusBadge>
  )

interface AlertTextProps {
  of: AlertView
  isLink?: boolean
  /** `h2` if it is the only section under the screen's heading. Default `h3`. */
  level?: 'h2' | 'h3'
}

function AlertBody({ of, isLink = false, level: Heading = 'h3' }: AlertTextProps) {
  const { t } = useLingui()
  const { headline, description, instruction, language } = useAlertText(of)
  return (
    <Card as="article" className="p-5 md:p-6">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-3">
        <Heading className="wrap-anywhere min-w-0 flex-1 basis-60 text-h3" lang={language}>
          {isLink ? (
            <Link className="link" to={`${READ_PATH}?alert=${of.id}`}>
              {headline}
            </Link>
          ) : (
            headline
          )}
        </Heading>
        <AlertStatus of={of} />
      </div>
      <div lang={language} className="flex flex-col gap-2">
        {description && <p className="wrap-anywhere whitespace-pre-line">{description}</p>}
        {instruction && <p className="wrap-anywhere whitespace-pre-line font-bold">{instruction}</p>}
      </div>
      <DetailList
        className="mt-4 text-sm"
        details={[
          [t`Service`, of.service],
          [t`Recipients`, of.areaText || t`Everyone`],
          [t`Sent`, longInstant(of.sentAt)],
          ...(of.hasEnded ? [] : [[t`Active until`, longInstant(of.expiresAt)] as const]),
        ]}
      />
    </Card>
  )
}

function One({ id }: { id: number }) {
  const { t } = useLingui()
  const response = useResponse(publicAlert, { alertId: id })
  return (
    <ResponseView response={response} loading={<Trans>Loading alert</Trans>} shape="block">
      {({ alert, followUps, outline }) => (
        <div className="grid gap-8">
          {followUps.length > 0 && (
            <section aria-label={t`Updates`} className="grid gap-4">
              <h2>
                <Trans>Updates</Trans>
              </h2>
              {followUps.map((one) => (
                <div key={one.id}>
                  <p className="mb-1 font-bold text-muted text-sm">{translated(kinds[one.kind])}</p>
                  <AlertBody of={one} />
                </div>
              ))}
            </section>
          )}
          <section aria-label={t`Alert details`} className="grid gap-4">
            {followUps.length > 0 && (
              <h2>
                <Trans>Original alert</Trans>
              </h2>
            )}
            <AlertBody of={alert} level={followUps.length > 0 ? 'h3' : 'h2'} />
          </section>
          {outline.length > 0 && <CompanyMap label={t`Alert area`} outline={outline} />}
        </div>
      )}
    </ResponseView>
  )
}
