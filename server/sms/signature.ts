import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Computes the header `X-Twilio-Signature`. It is a keyed hash of the full URL and the parameters, sorted by name. The
 * key is the account's token.
 */
export function signatureOf(token: string, url: string, params: URLSearchParams): string {
  const names = [...new Set(params.keys())].toSorted()
  const parts = names.flatMap((name) => [...new Set(params.getAll(name))].toSorted().map((value) => name + value))
  return createHmac('sha1', token)
    .update(url + parts.join(''))
    .digest('base64')
}

/** True if the signature is correct. Compares in constant time, to prevent timing attacks. */
export function isSigned(token: string, url: string, params: URLSearchParams, signature: unknown): boolean {
  const expected = Buffer.from(signatureOf(token, url, params))
  const received = Buffer.from(typeof signature === 'string' ? signature : '')
  return received.length === expected.length && timingSafeEqual(received, expected)
}
