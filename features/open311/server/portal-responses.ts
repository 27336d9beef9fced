/**
 * Parses JSON and XML responses of other servers. Servers interpret the standard differently, so the parser checks all
 * input.
 */
import { XMLParser } from 'fast-xml-parser'
import { FileRefused } from '../../../server/file-refused.ts'

export type Row = Readonly<Record<string, unknown>>

/** Names of elements that only wrap list entries, in JSON and XML. */
const AROUND = new Set([
  ...['services', 'service', 'service_requests', 'service_request', 'requests', 'request', 'attributes', 'attribute'],
  ...['service_request_updates', 'service_requests_updates', 'request_updates', 'request_update', 'errors', 'error'],
  ...['service_definition', 'values', 'value'],
])
const MAX_ROWS = 5000

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/**
 * Parses the entries of a response. Runs in a worker thread. @throws FileRefused if the response is neither JSON nor
 * XML
 */
export function rowsIn(text: string): Row[] {
  try {
    return entriesIn(text)
  } catch (error) {
    throw new FileRefused((error as Error).message)
  }
}

function entriesIn(text: string): Row[] {
  const body = text.replace(/^\uFEFF/, '').trim()
  if (body === '') return []
  if (!body.startsWith('<')) return unwrapped(JSON.parse(body) as unknown)
  // XML entity definitions are a known attack. Valid Open311 responses contain none.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(body)) throw new Error('the answer is a page, or defines entities')
  return unwrapped(parser.parse(body, true) as unknown)
}

/** Returns the entries in one part of a response, such as the attributes of a service. Removes wrapper elements. */
export function unwrapped(value: unknown): Row[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ROWS).filter((row): row is Row => isObject(row))
  if (!isObject(value)) return []
  const [name = '', ...others] = Object.keys(value)
  return others.length === 0 && AROUND.has(name) ? unwrapped(value[name]) : [value]
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a field as a string. Accepts numbers and booleans too, because servers use different types for ids. */
export function textAt(row: Row | undefined, name: string, max = 4000): string {
  const value = row?.[name]
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return ''
  return String(value).toWellFormed().replaceAll('\0', '').trim().slice(0, max)
}

export interface PortalService {
  code: string
  name: string
  metadata: boolean
}

export const servicesIn = (rows: readonly Row[]): PortalService[] =>
  rows.flatMap((row) => {
    const [code, name] = [textAt(row, 'service_code', 100), textAt(row, 'service_name', 200)]
    return code === '' ? [] : [{ code, name: name || code, metadata: textAt(row, 'metadata') === 'true' }]
  })

export interface PortalUpdate {
  id: string
  request: string
  status: 'open' | 'closed' | ''
  at: Date | null
  text: string
  image: string
}

const STATUSES: Readonly<Record<string, 'open' | 'closed'>> = {
  ...{ open: 'open', in_progress: 'open', investigating: 'open', planned: 'open', action_scheduled: 'open' },
  ...{ closed: 'closed', fixed: 'closed', duplicate: 'closed', no_further_action: 'closed' },
  ...{ not_councils_responsibility: 'closed', internal_referral: 'closed' },
}
export const statusOf = (text: string): PortalUpdate['status'] =>
  STATUSES[text.toLowerCase().replaceAll(/[\s-]+/g, '_')] ?? ''

/** Returns the updates, oldest first. Skips entries without an update id or a request id. */
export const updatesIn = (rows: readonly Row[]): PortalUpdate[] =>
  rows
    .map((row) => ({
      id: textAt(row, 'update_id', 200),
      request: textAt(row, 'service_request_id', 200),
      status: statusOf(textAt(row, 'status')),
      at: timeOf(textAt(row, 'updated_datetime')),
      text: textAt(row, 'description'),
      image: textAt(row, 'media_url', 2000),
    }))
    .filter(({ id, request }) => id !== '' && request !== '')
    .toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))

export function timeOf(text: string): Date | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at
}

/** Returns the error message of a response, on one line. */
export const faultIn = (rows: readonly Row[]): string =>
  rows
    .map((row) => textAt(row, 'description', 300))
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 500)
