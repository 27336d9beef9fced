import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { idIn, numberOf, PUBLIC_DAYS } from '../../service-requests/rules.ts'
import { onPublicMap, shownAs } from '../../service-requests/server/public-place.ts'
import { OPEN, type Request } from '../../service-requests/server/row.ts'
import { settingsOf } from '../../service-requests/server/settings.ts'
import { requestStates } from '../../service-requests/states.ts'
import { isOpen, MAX_ROWS, spanOf } from '../rules.ts'
import { pictureUrl, picturesOf, showsPictures } from './pictures.ts'
import { type Open311Request, given, timeGiven, type Open311Response, wrongArguments } from './request.ts'

const DAY = 86_400_000
/** As the specification has it; the address of a picture stands at the end of ours. */
const MAX_TEXT_LENGTH = 4000
const NOT_FOUND = 'There is no request with this service_request_id, or it is not shown to everybody.'

/** A request, and whether this program sent it. */
type Row = Request & { shown: string | null; is_own: boolean; media_url: string | null }

/** What a program sent itself: it knows all of it already. Nobody's where no key was said. */
const own = ({ key }: Open311Request) => sql`open311_request o
  ON o.company_id = r.company_id AND o.request_id = r.id AND o.key_id = ${key?.id ?? 0}`

/** Requests that may be told of: those that the public map shows, and those that this program sent. */
export async function tellable(
  tx: Tx,
  asked: Open311Request,
): Promise<{ from: RawBuilder<unknown>; where: RawBuilder<unknown> }> {
  const { context, company } = asked
  const { hasMap } = await settingsOf(tx, company.id)
  const since = new Date(context.clock.now().getTime() - PUBLIC_DAYS * DAY)
  const shown = hasMap ? sql`(${onPublicMap} AND r.created_at >= ${since})` : sql`false`
  return {
    from: sql`service_request r LEFT JOIN ${own(asked)}`,
    where: sql`r.company_id = ${company.id} AND (o.request_id IS NOT NULL OR ${shown})`,
  }
}

/** As GeoReport v2 has it. What was written is told to nobody but the program that sent it. */
function toldOf(asked: Open311Request, row: Row, picture: string | null) {
  const { is_own } = row
  return {
    service_request_id: numberOf(row.id),
    status: isOpen(row.status) ? 'open' : 'closed',
    status_notes: requestStates.labels[row.status],
    service_name: row.title,
    service_code: String(row.category_id),
    description: ((is_own ? row.description : '') || row.title).slice(0, MAX_TEXT_LENGTH),
    agency_responsible: asked.company.name,
    service_notice: null,
    requested_datetime: row.created_at.toISOString(),
    updated_datetime: row.updated_at.toISOString(),
    expected_datetime: is_own ? row.due_at.toISOString() : null,
    address: (is_own ? row.place : null) || row.shown,
    address_id: row.address_id === null ? null : String(row.address_id),
    zipcode: null,
    lat: row.lat,
    long: row.lon,
    media_url: row.media_url || picture,
  }
}

/** So many rows and from where, by the arguments that most servers know: `page` from 1, and `page_size`. */
function pageGiven(asked: Open311Request): { limit: number; offset: number } {
  const whole = (name: string, most: number): number | null => {
    const text = given(asked, name)
    if (text === '') return null
    if (!/^[1-9]\d{0,6}$/.test(text)) throw wrongArguments({ [name]: say`Send a whole number from 1 on.` })
    return Math.min(Number(text), most)
  }
  const limit = whole('page_size', MAX_ROWS) ?? MAX_ROWS
  return { limit, offset: ((whole('page', MAX_PAGES) ?? 1) - 1) * limit }
}
const MAX_PAGES = 1000

async function find(asked: Open311Request, condition: RawBuilder<unknown>): Promise<Open311Response> {
  const { limit, offset } = pageGiven(asked)
  const { context, company, key } = asked
  const { rows, pictures, isShown } = await asked.call.reading(async (tx) => {
    const { from, where } = await tellable(tx, asked)
    const found = await sql<Row>`
      SELECT r.*, ${shownAs} AS shown, o.request_id IS NOT NULL AS is_own, o.media_url FROM ${from}
      WHERE ${where} AND ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(tx)
    const isShown = await showsPictures(tx, company)
    const told = found.rows.filter(({ is_own }) => is_own || isShown).map(({ id }) => id)
    return { rows: found.rows, pictures: await picturesOf(tx, company, 'request', told), isShown }
  })
  const pictureOf = ({ id, is_own }: Row): string | null => {
    const file = pictures.get(id)?.[0]
    if (!file) return null
    if (is_own && key) return pictureUrl(context, company, `key-${key.id}`, file)
    return isShown ? pictureUrl(context, company, 'public', file) : null
  }
  return { root: 'service_requests', value: rows.map((row) => toldOf(asked, row, pictureOf(row))) }
}

/** The ids in a list such as `R-2026-000123,R-2026-000124`. @throws 400 where one is none */
export function idsGiven(text: string): number[] {
  const ids = text.split(',').map((one) => idIn(one))
  if (ids.length > MAX_ROWS || ids.some((id) => id === null))
    throw wrongArguments({ service_request_id: say`Name requests as R-2026-000123, with commas between them.` })
  return ids.filter((id) => id !== null)
}

export async function requests(asked: Open311Request): Promise<Open311Response> {
  const ids = given(asked, 'service_request_id')
  // The specification: this one overrides all others.
  if (ids !== '') return find(asked, sql`r.id = ANY(${idsGiven(ids)}::bigint[])`)
  const status = given(asked, 'status').toLowerCase()
  const stands: Record<string, RawBuilder<unknown>> = { '': sql`true`, open: OPEN, closed: sql`NOT ${OPEN}` }
  // Both at once are all.
  const standing = stands[/^(?:open,closed|closed,open)$/.test(status) ? '' : status]
  if (!standing) throw wrongArguments({ status: say`The status is open or closed.` })
  const codes = given(asked, 'service_code')
  if (codes !== '' && !/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/.test(codes))
    throw wrongArguments({
      service_code: say`Name services by the service_code that GET services says, with commas between them.`,
    })
  const ofService = codes === '' ? sql`true` : sql`r.category_id = ANY(${codes.split(',').map(Number)}::bigint[])`
  const { from, to } = spanOf(timeGiven(asked, 'start_date'), timeGiven(asked, 'end_date'), asked.context.clock.now())
  return find(asked, sql`r.created_at BETWEEN ${from} AND ${to} AND ${standing} AND ${ofService}`)
}

export async function request(asked: Open311Request, id: string): Promise<Open311Response> {
  const told = await find(asked, sql`r.id = ANY(${idsGiven(id)}::bigint[])`)
  if (Array.isArray(told.value) && told.value.length === 0) throw notFound(NOT_FOUND)
  return told
}

/** A request is entered at once, so that its id is known at once: its token is the id that a device may have given it. */
export async function token(asked: Open311Request, token: string): Promise<Open311Response> {
  const isToken = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(token)
  const row = isToken
    ? await asked.call.reading(async (tx) => {
        const { from, where } = await tellable(tx, asked)
        const { rows } = await sql<{ id: number }>`
          SELECT r.id FROM ${from} WHERE ${where} AND r.public_id = ${token}`.execute(tx)
        return rows[0]
      })
    : undefined
  if (!row) throw notFound('There is no request with this token.')
  return { root: 'service_requests', value: [{ token, service_request_id: numberOf(row.id) }] }
}
