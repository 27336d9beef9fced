import type { RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { call } from './call.ts'

/**
 * Saves a file that a call streams. A download can't send the session's headers, so the call returns a single-use URL.
 * The browser opens it within 60 seconds.
 * @throws {CallError} if the call is refused
 */
export async function download<E extends Endpoint>(endpoint: E, body: RequestInputOf<E>): Promise<void> {
  const { url } = (await call(endpoint as Endpoint, body as never)) as { url: string }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
