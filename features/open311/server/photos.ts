import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { PUBLIC_DAYS } from '../../service-requests/rules.ts'
import { requests, onPublicMap, settingsOf } from '../../service-requests/api.ts'

/**
 * Audience of a photo URL: everyone, a program with an API key, or a portal that received the request. Each audience
 * has its own URL. The URL stops working when the company stops publishing photos, revokes the API key or removes the
 * portal.
 */
export type Grant = 'public' | `key-${number}` | `portal-${number}`

const DAY = 86_400_000
const PATH = '/open311/pictures'
const photosByAddress = defineAddressLimit('open311-photo', {
  max: 600,
  minutes: 10,
  after: 'pause',
  text: 'Your IP address requested photos 600 times within 10 minutes.',
})

/** Returns the secret part of a photo URL, so that no one can guess the URL. */
const markOf = ({ secrets }: AppContext, company: number, grant: string, file: string): Buffer =>
  secrets.mark(`open311-picture/${company}/${grant}/${file}`)

export const photoUrl = (context: AppContext, company: Company, grant: Grant, file: string): string =>
  noticeSenderOf(context, company).url(
    `${PATH}/${grant}/${file}/${markOf(context, company.id, grant, file).toString('base64url')}`,
  )

/** SQL condition that matches scanned photos. Photos are re-encoded on upload, so they contain no camera metadata. */
const isPhoto = sql`a.kind = ${requests.calls.files.kind} AND a.state = 'clean' AND a.content_type IN ('image/jpeg', 'image/png')`

/** Returns the photo ids of each request (`request`) or case entry (`case_entry`), in order. */
export async function photosOf(
  tx: Tx,
  company: Company,
  kind: 'request' | 'case_entry',
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ of: number; files: string[] }>`
    SELECT a.subject_id AS of, array_agg(a.id::text ORDER BY a.nth) AS files FROM attachment a
    WHERE a.company_id = ${company.id} AND a.subject_kind = ${kind === 'request' ? requests.calls.kind : kind}
      AND a.subject_id = ANY(${ids}::bigint[]) AND ${isPhoto} GROUP BY a.subject_id`.execute(tx)
  return new Map(rows.map(({ of, files }) => [of, files]))
}

/** Returns whether the company publishes the photos of public requests. */
export async function publishesPhotos(tx: Tx, company: Company): Promise<boolean> {
  const row = await tx
    .selectFrom('open311_settings')
    .select('publish_photos')
    .where('company_id', '=', company.id)
    .executeTakeFirst()
  return row?.publish_photos ?? false
}

/**
 * Returns an SQL condition that is true while the grant is valid. Alias `p` is the photo and alias `r` is its request.
 */
async function stillHolds(tx: Tx, context: AppContext, company: Company, grant: string) {
  const [, of = '', number = ''] = /^(key|portal)-([1-9]\d{0,14})$/.exec(grant) ?? []
  const id = Number(number)
  if (of === 'key')
    return sql`EXISTS (SELECT FROM open311_request o JOIN api_key k ON k.company_id = o.company_id AND k.id = o.key_id
      WHERE o.company_id = r.company_id AND o.request_id = r.id AND k.id = ${id} AND k.revoked_at IS NULL)`
  if (of === 'portal')
    return sql`EXISTS (SELECT FROM open311_sent_request s JOIN open311_portal q ON q.company_id = s.company_id AND q.id = s.portal_id
      WHERE s.company_id = r.company_id AND s.request_id = r.id AND q.id = ${id} AND q.removed_at IS NULL)`
  const { hasMap } = await settingsOf(tx, company.id)
  const since = new Date(context.clock.now().getTime() - PUBLIC_DAYS * DAY)
  if (grant !== 'public' || !hasMap || !(await publishesPhotos(tx, company))) return sql`false`
  return sql`${onPublicMap} AND r.created_at >= ${since} AND p.of_opening`
}

async function find(context: AppContext, company: Company, grant: string, file: string) {
  return context.readingCompany(company.id, async (tx) => {
    const holds = await stillHolds(tx, context, company, grant)
    const { rows } = await sql<{ path: string | null; content_type: string }>`
      SELECT p.path, p.content_type FROM (
        SELECT a.path, a.content_type, a.subject_kind = ${requests.calls.kind} AS of_opening,
          CASE a.subject_kind WHEN ${requests.calls.kind} THEN a.subject_id ELSE e.subject_id END AS request_id
        FROM attachment a LEFT JOIN case_entry e ON e.company_id = a.company_id AND a.subject_kind = 'case_entry' AND e.id = a.subject_id
          AND e.subject_kind = ${requests.calls.kind} AND e.visibility = 'everyone'
        WHERE a.company_id = ${company.id} AND a.id = ${file} AND ${isPhoto}) p
      JOIN service_request r ON r.company_id = ${company.id} AND r.id = p.request_id
      WHERE ${holds}`.execute(tx)
    return rows[0]?.path ? { ...rows[0], path: rows[0].path } : null
  })
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Serves photos of requests at their URLs, as long as the grant is valid. */
export function mountPhotos(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { grant: string; file: string; mark: string } }>(
    `${PATH}/:grant/:file/:mark`,
    async ({ params: { grant, file, mark }, headers, ip }, reply) => {
      const host = await context.hosts.resolve(headers.host)
      const company = host.kind === 'company' ? host.company : null
      if (!company || !ID.test(file)) return reply.callNotFound()
      await countAttempt(context, [photosByAddress(ip, company.id)])
      const [right, receivedMark] = [markOf(context, company.id, grant, file), Buffer.from(mark, 'base64url')]
      const isValid = receivedMark.length === right.length && timingSafeEqual(receivedMark, right)
      const image = isValid ? await find(context, company, grant, file) : null
      if (!image) return reply.callNotFound()
      return (
        reply
          .type(image.content_type)
          // Cached briefly, because a URL can stop working at any time.
          .header('cache-control', grant === 'public' ? 'public, max-age=600' : 'private, max-age=600')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('access-control-allow-origin', '*')
          .header('content-disposition', 'inline')
          .send(context.files.read(image.path))
      )
    },
  )
}
