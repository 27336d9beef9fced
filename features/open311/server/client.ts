import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { InnerAddress, outgoing } from '../../../server/outgoing.ts'
import { say } from '../../../shared/messages.ts'
import { parserOf } from '../../../server/parse.ts'
import { faultIn, type Row } from './portal-responses.ts'

export type OtherPortal = Selectable<Schema['open311_portal']>
/** Context of a company's calls to another portal. */
export interface PortalContext {
  context: AppContext
  company: Company
  portal: OtherPortal
}
type PortalAddress = Pick<OtherPortal, 'url' | 'jurisdiction_id' | 'format'> & { key: string }

/** Timeout of a call, in milliseconds. It is long, because a response with 1,000 requests can be slow. */
const TIMEOUT_MS = 15_000
const MAX_BYTES = 5 * 1024 * 1024

/** Error if another portal returns no usable response. `sent` is true if the request may have arrived. */
export class NoResponse extends Error {
  readonly sent: boolean
  constructor(errorText: string, sent: boolean) {
    super(errorText)
    this.sent = sent
  }
}

export interface PortalResponse {
  status: number
  rows: Row[]
  /** Error message in the response, if any. */
  fault: string
}

/** Returns the URL of a portal and its decrypted key. */
export const whereIs = ({ secrets }: AppContext, portal: OtherPortal): PortalAddress => ({
  ...portal,
  key: portal.api_key_sealed === '' ? '' : secrets.open(portal.api_key_sealed),
})

/** Calls another server. If a form is passed, sends it as a POST request. @throws NoResponse */
export async function callPortal(
  { config }: Pick<AppContext, 'config'>,
  { url, format, jurisdiction_id, key }: PortalAddress,
  what: string,
  { query = {}, form }: { query?: Record<string, string>; form?: URLSearchParams } = {},
): Promise<PortalResponse> {
  const besides = new URLSearchParams()
  if (jurisdiction_id) besides.set('jurisdiction_id', jurisdiction_id)
  if (key) besides.set('api_key', key)
  for (const [name, value] of Object.entries(form ? {} : query)) besides.set(name, value)
  const queryText = form ? '' : `?${besides.toString()}`
  const body = form ? `${besides.toString()}&${form.toString()}` : undefined
  const fetched = outgoing({ loopback: config.open311Loopback, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  let reply: Response
  try {
    reply = await fetched(`${url}/${what}.${format}${queryText}`, {
      method: form ? 'POST' : 'GET',
      body,
      headers: {
        accept: format === 'json' ? 'application/json' : 'text/xml',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }),
      },
    })
  } catch (error) {
    throw toNoResponse(error as NodeJS.ErrnoException)
  }
  return read(url, reply)
}

const rowsIn = parserOf<[text: string], Row[]>(new URL('portal-responses.ts', import.meta.url), 'rowsIn')

/** @param origin the server's origin, so that servers take turns */
async function read(origin: string, reply: Response): Promise<PortalResponse> {
  const { status } = reply
  const isFine = status >= 200 && status < 300
  if (status === 408 || status === 429 || status >= 500)
    throw new NoResponse(say`The server returned an error (${status}).`, true)
  try {
    const rows = await rowsIn(origin, await reply.text())
    return { status, rows, fault: isFine ? '' : faultIn(rows) }
  } catch {
    if (isFine) throw new NoResponse(say`The portal’s response is not in Open311 format.`, true)
    return { status, rows: [], fault: '' }
  }
}

/** Codes of errors that occur before any data is sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function toNoResponse(error: NodeJS.ErrnoException): NoResponse {
  if (error instanceof InnerAddress)
    return new NoResponse(
      say`The portal’s address does not use https or is on a private network. Nothing was sent.`,
      false,
    )
  const isUnsent = NEVER_SENT.has(error.code ?? '') || /CERT|SELF_SIGNED|TLS|SSL/.test(error.code ?? '')
  return isUnsent
    ? new NoResponse(say`The portal could not be reached (${error.code ?? ''}).`, false)
    : new NoResponse(say`The server did not respond in time, or it closed the connection.`, true)
}

/** Returns an error message for staff: the message from the other portal, or its status code. */
export const refusedWith = ({ status, fault }: PortalResponse): string =>
  fault === '' ? say`The server returned an error (${status}).` : fault
