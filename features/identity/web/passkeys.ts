import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { call } from '../../../web/call.ts'
import { beginPasskeySignIn } from '../../factors/contract.ts'

/** Does this browser know passkeys at all? Where not, nothing about them is shown. */
export const knowsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Somebody closed the browser's question, or waited too long: no mistake of theirs. */
export const wasDismissed = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

/**
 * Has the browser answer with a passkey of this host; with a ticket, with one of that person's.
 * @param inField waits in the field for the email until somebody chooses a passkey there; where it answers false by the
 * time that everything is ready, another question was asked meanwhile, which this one would end: null
 */
export async function askForPasskey({ ticket, inField }: { ticket?: string; inField?: () => boolean } = {}) {
  const [{ startAuthentication }, { step, options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(beginPasskeySignIn, ticket === undefined ? {} : { ticket }),
  ])
  if (inField?.() === false) return null
  const assertion = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: inField !== undefined,
  })
  return { step, assertion: { ...assertion, clientExtensionResults: {} } }
}

/** Ends a question that waits in a field. */
export const stopAsking = async (): Promise<void> => {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** Can passkeys be offered in the field for the email? */
export const knowsAutofill = async (): Promise<boolean> =>
  knowsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
