import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { refuseWhileOffline } from '../../../server/offline.ts'
import { escapedXml } from '../../../server/xml.ts'
import { say } from '../../../shared/messages.ts'
import { prefixOf, READ_PATH } from '../rules.ts'
import type { Alert } from '../server/alerts.ts'
import type { CapAlert } from './message.ts'
import { capOf, publicAlertsOf, companyOrigin } from './of-alert.ts'
import { writeCap } from './write.ts'

/** Rate limit for each IP address. A station requests a feed each minute, and a whole office can share one address. */
const readsByAddress = defineAddressLimit('alert-feeds', {
  max: 600,
  minutes: 10,
  after: 'pause',
  text: 'Your IP address requested these alerts 600 times in 10 minutes.',
})

/** Maximum number of alerts in a feed, newest first. */
const MAX_ALERTS = 50

interface Feed {
  company: Company
  home: string
  alerts: readonly Alert[]
  /** Time of the last change in the feed. */
  at: Date
}

const capUrl = ({ home }: Feed, { public_id }: Alert): string => `${home}${READ_PATH}/cap/${public_id}.xml`
const titleOf = ({ kind, content }: Alert): string => prefixOf(kind, 'en') + content.en.headline
const bodyOf = ({ content: { en } }: Alert): string => [en.description, en.instruction].filter(Boolean).join('\n\n')
const feedTitle = ({ company }: Feed): string => say`Alerts from ${company.name}`
const tag = (name: string, text: string, attributes = ''): string =>
  `<${name}${attributes}>${escapedXml(text)}</${name}>\n`

/** Builds the Atom feed with the CAP elements that stations sort by. Each entry links to its message. */
const atom = (feed: Feed): string => {
  const { company, home, alerts, at } = feed
  const entries = alerts.map((alert) => {
    const [info] = (alert.cap as CapAlert | null)?.infos ?? []
    return `<entry>\n${[
      tag('id', `urn:uuid:${alert.public_id}`),
      tag('title', titleOf(alert)),
      tag('updated', (alert.sent_at ?? at).toISOString()),
      tag('summary', bodyOf(alert)),
      `<link rel="alternate" type="application/cap+xml" href="${escapedXml(capUrl(feed, alert))}"/>\n`,
      tag('cap:event', alert.event),
      tag('cap:urgency', alert.urgency),
      tag('cap:severity', alert.severity),
      tag('cap:certainty', alert.certainty),
      tag('cap:expires', info?.expires ?? alert.expires_at.toISOString()),
      tag('cap:areaDesc', info?.areas[0]?.areaDesc ?? (alert.area_text || company.name)),
    ].join('')}</entry>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2">\n${[
    tag('id', `${home}${READ_PATH}/feed.xml`),
    tag('title', feedTitle(feed)),
    tag('updated', at.toISOString()),
    `<author>\n${tag('name', company.name)}</author>\n`,
    `<link rel="self" href="${escapedXml(home)}${READ_PATH}/feed.xml"/>\n`,
    ...entries,
  ].join('')}</feed>\n`
}

const rss = (feed: Feed): string => {
  const { home, alerts, at } = feed
  const items = alerts.map(
    (alert) =>
      `<item>\n${[
        tag('guid', alert.public_id, ' isPermaLink="false"'),
        tag('title', titleOf(alert)),
        tag('link', `${home}${READ_PATH}`),
        tag('description', bodyOf(alert)),
        tag('category', alert.category),
        tag('pubDate', (alert.sent_at ?? at).toUTCString()),
      ].join('')}</item>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0">\n<channel>\n${[
    tag('title', feedTitle(feed)),
    tag('link', `${home}${READ_PATH}`),
    tag('description', feedTitle(feed)),
    tag('lastBuildDate', at.toUTCString()),
    ...items,
  ].join('')}</channel>\n</rss>\n`
}

/** Builds JSON Feed 1.1 (jsonfeed.org). */
const json = (feed: Feed): string => {
  const { home, alerts, at } = feed
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(feed),
    home_page_url: `${home}${READ_PATH}`,
    feed_url: `${home}${READ_PATH}/feed.json`,
    language: 'en-US',
    items: alerts.map((alert) => ({
      id: alert.public_id,
      url: capUrl(feed, alert),
      title: titleOf(alert),
      content_text: bodyOf(alert),
      date_published: (alert.sent_at ?? at).toISOString(),
      tags: [alert.category, alert.severity],
    })),
  })
}

const formats: Readonly<Record<string, { type: string; write: (feed: Feed) => string }>> = {
  'feed.xml': { type: 'application/atom+xml; charset=utf-8', write: atom },
  'rss.xml': { type: 'application/rss+xml; charset=utf-8', write: rss },
  'feed.json': { type: 'application/feed+json; charset=utf-8', write: json },
}

async function feedOf(context: AppContext, company: Company): Promise<Feed> {
  const alerts = await context.readingCompany(company.id, (tx) =>
    publicAlertsOf(tx, company.id).orderBy('sent_at', 'desc').orderBy('id', 'desc').limit(MAX_ALERTS).execute(),
  )
  return { company, home: companyOrigin(context, company), alerts, at: alerts[0]?.sent_at ?? new Date(0) }
}

/**
 * Returns one message as a file.
 * @throws 404 if the message does not exist
 */
async function messageOf(context: AppContext, company: Company, publicId: string): Promise<string> {
  const xml = await context.readingCompany(company.id, async (tx) => {
    const alert = await publicAlertsOf(tx, company.id).where('public_id', '=', publicId).executeTakeFirst()
    return alert && writeCap(await capOf(context, tx, company, alert))
  })
  if (!xml) throw notFound('No alert exists at this address.')
  return xml
}

const UUID = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.xml$/

/**
 * Serves a company's alerts to stations, other sites and news readers. Formats are Atom with CAP elements, RSS, JSON,
 * and single CAP 1.2 messages. If the client already has the current feed, the response is empty.
 */
export function mountAlertFeeds(app: FastifyInstance, context: AppContext): void {
  const give = async (
    { headers, ip }: FastifyRequest,
    type: string,
    read: (company: Company) => Promise<string>,
  ): Promise<{ status: number; headers: Record<string, string>; body: string }> => {
    const host = await context.hosts.resolve(headers.host)
    if (host.kind !== 'company' || !host.company) throw notFound('No municipality exists at this address.')
    refuseWhileOffline(host.company, null)
    await countAttempt(context, [readsByAddress(ip, host.company.id)])
    const body = await read(host.company)
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const cacheHeaders = { etag, 'cache-control': 'public, max-age=10', 'access-control-allow-origin': '*' }
    return headers['if-none-match'] === etag
      ? { status: 304, headers: cacheHeaders, body: '' }
      : { status: 200, headers: { ...cacheHeaders, 'content-type': type }, body }
  }
  for (const [name, { type, write }] of Object.entries(formats))
    app.get(`${READ_PATH}/${name}`, async (request, reply) => {
      const { status, headers, body } = await give(request, type, async (company) =>
        write(await feedOf(context, company)),
      )
      return reply.status(status).headers(headers).send(body)
    })
  app.get<{ Params: { file: string } }>(`${READ_PATH}/cap/:file`, async (request, reply) => {
    const { status, headers, body } = await give(request, 'application/cap+xml; charset=utf-8', async (company) => {
      const publicId = UUID.exec(request.params.file)?.[1]
      if (!publicId) throw notFound('No alert exists at this address.')
      return messageOf(context, company, publicId)
    })
    return reply.status(status).headers(headers).send(body)
  })
}
