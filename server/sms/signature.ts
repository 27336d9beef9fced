import { createHmac, timingSafeEqual } from 'node:crypto'

/** `X-Twilio-Signature`: a hash under the account's token over the whole address that was called and what was sent, by name. */
export function signatureOf(token: string, url: string, params: URLSearchParams): string {
  const names = [...new Set(params.keys())].toSorted()
  const said = names.flatMap((name) => [...new Set(params.getAll(name))].toSorted().map((value) => name + value))
  return createHmac('sha1', token)
    .update(url + said.join(''))
    .digest('base64')
}

/** Compares in the same time wherever they differ. */
export function isSigned(token: string, url: string, params: URLSearchParams, signature: unknown): boolean {
  const wanted = Buffer.from(signatureOf(token, url, params))
  const given = Buffer.from(typeof signature === 'string' ? signature : '')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
