import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { idIn, numberOf, PUBLIC_DAYS } from '../../service-requests/rules.ts'
import { onPublicMap, publicAddress, OPEN, type Request, settingsOf } from '../../service-requests/api.ts'
import { requestStates } from '../../service-requests/states.ts'
import { isOpen, MAX_ROWS, spanOf } from '../rules.ts'
import { photoUrl, photosOf, publishesPhotos } from './photos.ts'
import { type Open311Request, parameterOf, timeArgumentOf, type Open311Response, invalidArguments } from './request.ts'

const DAY = 86_400_000
/**
 * Maximum length of a description in the GeoReport specification, in characters. The description ends with the photo
 * URL.
 */
const MAX_TEXT_LENGTH = 4000
const NOT_FOUND = 'The request with this service_request_id does not exist or is not public.'

/** Request row. `is_own` is true if the calling program sent the request. */
type Row = Request & { public_address: string | null; is_own: boolean; media_url: string | null }

/** Returns the SQL join with the requests that the calling program sent. Without an API key, it matches none. */
const own = ({ key }: Open311Request) => sql`open311_request o
  ON o.company_id = r.company_id AND o.request_id = r.id AND o.key_id = ${key?.id ?? 0}`

/**
 * Returns the SQL for the requests that the caller may read: those on the public map, and those that the caller sent.
 */
export async function publicRequests(
  tx: Tx,
  input: Open311Request,
): Promise<{ from: RawBuilder<unknown>; where: RawBuilder<unknown> }> {
  const { context, company } = input
  const { hasMap } = await settingsOf(tx, company.id)
  const since = new Date(context.clock.now().getTime() - PUBLIC_DAYS * DAY)
  const isPublic = hasMap ? sql`(${onPublicMap} AND r.created_at >= ${since})` : sql`false`
  return {
    from: sql`service_request r LEFT JOIN ${own(input)}`,
    where: sql`r.company_id = ${company.id} AND (o.request_id IS NOT NULL OR ${isPublic})`,
  }
}

/** Converts a request to GeoReport v2. Only the program that sent the request gets its description. */
function requestView(input: Open311Request, row: Row, image: string | null) {
  const { is_own } = row
  return {
    service_request_id: numberOf(row.id),
    status: isOpen(row.status) ? 'open' : 'closed',
    status_notes: requestStates.labels[row.status],
    service_name: row.title,
    service_code: String(row.category_id),
    description: ((is_own ? row.description : '') || row.title).slice(0, MAX_TEXT_LENGTH),
    agency_responsible: input.company.name,
    service_notice: null,
    requested_datetime: row.created_at.toISOString(),
    updated_datetime: row.updated_at.toISOString(),
    expected_datetime: is_own ? row.due_at.toISOString() : null,
    address: (is_own ? row.location : null) || row.public_address,
    address_id: row.address_id === null ? null : String(row.address_id),
    zipcode: null,
    lat: row.lat,
    long: row.lon,
    media_url: row.media_url || image,
  }
}

/** Returns limit and offset from the arguments `page` (starting at 1) and `page_size`. */
function pageOf(input: Open311Request): { limit: number; offset: number } {
  const whole = (name: string, max: number): number | null => {
    const text = parameterOf(input, name)
    if (text === '') return null
    if (!/^[1-9]\d{0,6}$/.test(text)) throw invalidArguments({ [name]: say`Send a whole number of 1 or more.` })
    return Math.min(Number(text), max)
  }
  const limit = whole('page_size', MAX_ROWS) ?? MAX_ROWS
  return { limit, offset: ((whole('page', MAX_PAGES) ?? 1) - 1) * limit }
}
const MAX_PAGES = 1000

async function find(input: Open311Request, condition: RawBuilder<unknown>): Promise<Open311Response> {
  const { limit, offset } = pageOf(input)
  const { context, company, key } = input
  const { rows, photos, hasPublicPhotos } = await input.call.reading(async (tx) => {
    const { from, where } = await publicRequests(tx, input)
    const page = await sql<Row>`
      SELECT r.*, ${publicAddress} AS public_address, o.request_id IS NOT NULL AS is_own, o.media_url FROM ${from}
      WHERE ${where} AND ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(tx)
    const hasPublicPhotos = await publishesPhotos(tx, company)
    const visibleIds = page.rows.filter(({ is_own }) => is_own || hasPublicPhotos).map(({ id }) => id)
    return { rows: page.rows, photos: await photosOf(tx, company, 'request', visibleIds), hasPublicPhotos }
  })
  const photoOf = ({ id, is_own }: Row): string | null => {
    const file = photos.get(id)?.[0]
    if (!file) return null
    if (is_own && key) return photoUrl(context, company, `key-${key.id}`, file)
    return hasPublicPhotos ? photoUrl(context, company, 'public', file) : null
  }
  return { root: 'service_requests', value: rows.map((row) => requestView(input, row, photoOf(row))) }
}

/**
 * Parses a list of request numbers such as `R-2026-000123,R-2026-000124`. @throws 400 if an entry is not a request
 * number
 */
export function idsIn(text: string): number[] {
  const ids = text.split(',').map((one) => idIn(one))
  if (ids.length > MAX_ROWS || ids.some((id) => id === null))
    throw invalidArguments({
      service_request_id: say`Send request numbers such as R-2026-000123, separated by commas.`,
    })
  return ids.filter((id) => id !== null)
}

export async function requests(input: Open311Request): Promise<Open311Response> {
  const ids = parameterOf(input, 'service_request_id')
  // In the GeoReport specification, `service_request_id` overrides all other arguments.
  if (ids !== '') return find(input, sql`r.id = ANY(${idsIn(ids)}::bigint[])`)
  const status = parameterOf(input, 'status').toLowerCase()
  const stands: Record<string, RawBuilder<unknown>> = { '': sql`true`, open: OPEN, closed: sql`NOT ${OPEN}` }
  // A filter by both statuses matches all requests.
  const statusCondition = stands[/^(?:open,closed|closed,open)$/.test(status) ? '' : status]
  if (!statusCondition) throw invalidArguments({ status: say`Send the status as open or closed.` })
  const codes = parameterOf(input, 'service_code')
  if (codes !== '' && !/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/.test(codes))
    throw invalidArguments({
      service_code: say`Send service_code values from GET services, separated by commas.`,
    })
  const ofService = codes === '' ? sql`true` : sql`r.category_id = ANY(${codes.split(',').map(Number)}::bigint[])`
  const { from, to } = spanOf(
    timeArgumentOf(input, 'start_date'),
    timeArgumentOf(input, 'end_date'),
    input.context.clock.now(),
  )
  return find(input, sql`r.created_at BETWEEN ${from} AND ${to} AND ${statusCondition} AND ${ofService}`)
}

export async function request(input: Open311Request, id: string): Promise<Open311Response> {
  const result = await find(input, sql`r.id = ANY(${idsIn(id)}::bigint[])`)
  if (Array.isArray(result.value) && result.value.length === 0) throw notFound(NOT_FOUND)
  return result
}

/**
 * Returns the number of the request with this token. The portal assigns numbers immediately, so the token is just the
 * request's `public_id`. The sender's device may have generated that id.
 */
export async function token(input: Open311Request, token: string): Promise<Open311Response> {
  const isToken = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(token)
  const row = isToken
    ? await input.call.reading(async (tx) => {
        const { from, where } = await publicRequests(tx, input)
        const { rows } = await sql<{ id: number }>`
          SELECT r.id FROM ${from} WHERE ${where} AND r.public_id = ${token}`.execute(tx)
        return rows[0]
      })
    : undefined
  if (!row) throw notFound('No request has this token.')
  return { root: 'service_requests', value: [{ token, service_request_id: numberOf(row.id) }] }
}
