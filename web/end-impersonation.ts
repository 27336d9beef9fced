import { CHANNEL, ENDED_MESSAGE } from '../shared/impersonation.ts'
import { CallError, send } from './call.ts'
import { go } from './go.ts'
import { forgetSession, type Impersonation } from './session.ts'

/**
 * Ends an impersonated session on the server and here, tells the window that opened this one, and closes this one
 * (specification 4.9). A browser that does not close it is shown the town's own page.
 * @throws {CallError} when the server could not be told: the session is still open then
 */
export async function endImpersonation({ opener, of, handOff }: Impersonation): Promise<void> {
  await send('/api/v2/logout', { method: 'GET' }).catch((error: unknown) => {
    // Over already: what is left is to close.
    if (!(error instanceof CallError && error.status === 401)) throw error
  })
  // The known origin alone hears it.
  if (of === 'municipality') (globalThis.opener as Window | null)?.postMessage(ENDED_MESSAGE, opener)
  else new BroadcastChannel(CHANNEL).postMessage({ ended: handOff })
  sessionStorage.clear()
  globalThis.close()
  if (globalThis.closed) return
  forgetSession()
  go(of === 'municipality' ? '/sign-in' : '/home')
}
