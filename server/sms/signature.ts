import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Computes `X-Twilio-Signature`: a hash with the account's token over the full URL and the parameters, sorted by name.
 */
export function signatureOf(token: string, url: string, params: URLSearchParams): string {
  const names = [...new Set(params.keys())].toSorted()
  const parts = names.flatMap((name) => [...new Set(params.getAll(name))].toSorted().map((value) => name + value))
  return createHmac('sha1', token)
    .update(url + parts.join(''))
    .digest('base64')
}

/** Compares in constant time. */
export function isSigned(token: string, url: string, params: URLSearchParams, signature: unknown): boolean {
  const expected = Buffer.from(signatureOf(token, url, params))
  const received = Buffer.from(typeof signature === 'string' ? signature : '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
