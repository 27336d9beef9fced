import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { call } from '../../../web/call.ts'
import { startPasskeySignIn } from '../../factors/contract.ts'

/** True if the browser supports passkeys. If not, the screens do not mention them. */
export const knowsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** True if the person closed the browser's prompt or let it time out. This is not an error. */
export const wasDismissed = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

/**
 * Asks the browser for a passkey of this host. With a ticket, only passkeys of that person count.
 * @param inField runs as autofill in the email field. If it returns false when the prompt is ready, a newer prompt is
 * open and the result is null
 */
export async function promptPasskey({ ticket, inField }: { ticket?: string; inField?: () => boolean } = {}) {
  const [{ startAuthentication }, { step, options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(startPasskeySignIn, ticket === undefined ? {} : { ticket }),
  ])
  if (inField?.() === false) return null
  const assertion = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: inField !== undefined,
  })
  return { step, assertion: { ...assertion, clientExtensionResults: {} } }
}

/** Ends the autofill prompt. */
export const cancelPasskeyRequest = async (): Promise<void> => {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** True if the browser can offer passkeys in the email field. */
export const knowsAutofill = async (): Promise<boolean> =>
  knowsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
