import { type LookupFunction, BlockList, isIP } from 'node:net'
import { type LookupAddress, lookup as resolveName } from 'node:dns'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isLoopbackName } from '../shared/loopback-name.ts'

const inner = new BlockList()
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  inner.addSubnet(network, bits, 'ipv4')
// IPv6 range for public addresses. The loop below excludes addresses that map to IPv4 or that are not assigned to
// machines.
const outer = new BlockList()
outer.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  inner.addSubnet(network, bits, 'ipv6')

/** True for a public internet address. False for this machine and for local networks. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !inner.check(address, 'ipv4')
  return family === 6 && outer.check(address, 'ipv6') && !inner.check(address, 'ipv6')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const isLoopback = (address: string) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Error for an address in an internal network. URLs in company settings must not lead to internal networks. */
export class InnerAddress extends Error {}

interface Limits {
  /** True if connections to this machine are allowed, also over http. Only for tests and trials. */
  loopback: boolean
  timeoutMs?: number
  /**
   * Maximum size of a response, in bytes. The default is enough for single sign-on issuers, which send only small
   * metadata documents and keys.
   */
  maxBytes?: number
}

interface OutgoingRequest {
  method?: string
  headers?: Record<string, string> | Headers
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * Creates a `fetch` for URLs from company settings. It connects only to public IP addresses and only over https, unless
 * `loopback` also allows this machine. It follows no redirects, and gives up after five seconds by default. It checks
 * the IP address when it connects, so that a host name can't later resolve to a forbidden address.
 */
export const outgoing =
  ({ loopback: loops, timeoutMs = 5000, maxBytes = 512 * 1024 }: Limits) =>
  async (address: string, { method = 'GET', headers = {}, body, signal }: OutgoingRequest = {}): Promise<Response> => {
    const url = new URL(address)
    const allowed = (ip: string) => isPublic(ip) || (loops && isLoopback(ip))
    const plain = url.protocol === 'http:' && loops && isLoopbackName(url.hostname)
    if (url.protocol !== 'https:' && !plain) throw new InnerAddress('it is not https')
    const literal = url.hostname.replaceAll(/^\[|\]$/g, '')
    if (isIP(literal) && !allowed(literal)) throw new InnerAddress('it is an inner address')
    const payload = await bytesOf(body)
    const limit = AbortSignal.timeout(timeoutMs)
    return new Promise((resolve, reject) => {
      const sent = (plain ? requestPlain : requestSecure)(
        url,
        {
          method,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            ...(payload && { 'content-length': payload.length }),
          },
          lookup: lookupAmong(allowed),
          agent: false,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        },
        (response) => readResponse(response, maxBytes).then(resolve, reject),
      )
      sent.on('error', reject)
      sent.end(payload ?? undefined)
    })
  }

const bytesOf = async (body: unknown): Promise<Buffer | null> =>
  body === undefined || body === null ? null : Buffer.from(await new Response(body as BodyInit).arrayBuffer())

async function readResponse(response: IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw new Error('the answer is too long')
    parts.push(part)
  }
  const status = response.statusCode ?? 502
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : Buffer.concat(parts), { status, headers })
}

/**
 * Returns a function that resolves a host name for a connection. It fails if any of the name's addresses is forbidden.
 */
function lookupAmong(allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    // Some resolvers do not know names such as `x.localhost`, so every such name becomes `localhost`.
    const name = isLoopbackName(hostname) ? 'localhost' : hostname
    resolveName(name, { ...options, all: true }, (error, results) => {
      const addresses = (results ?? []) as LookupAddress[]
      if (error) return callback(error, '', 0)
      const first = addresses[0]
      if (!first || !addresses.every(({ address }) => allowed(address)))
        return callback(new InnerAddress('it leads to an inner address'), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
