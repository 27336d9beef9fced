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
 * @param autofill waits in the field for the email, until somebody chooses a passkey there
 */
export async function askForPasskey({ ticket, autofill = false }: { ticket?: string; autofill?: boolean } = {}) {
  const [{ startAuthentication }, { step, options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(beginPasskeySignIn, ticket === undefined ? {} : { ticket }),
  ])
  const assertion = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
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
