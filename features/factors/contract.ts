import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { passwordField, sessionStarted } from '../../shared/accounts.ts'
import { basis, companyId as anyCompany, rowId as id } from '../../shared/body-parts.ts'
import { NOT_VISIBLE, VISIBLE_LINE } from '../../shared/visible.ts'
import { cleaned } from '../../shared/typed.ts'

export const CODE_REQUIRED = 'Enter the code.'
export const CODE_INVALID = 'Enter the six-digit code from your authenticator app.'

/** Token that connects the calls of one step. The token expires after a few minutes and works only once. */
const step = z.string().check(z.regex(/^[\w-]{43}$/, 'This step is no longer valid. Start again.'))

/** Six digits from an authenticator app, or a recovery code. Spaces and dashes are accepted. */
const anyCode = z
  .string()
  .check(
    cleaned(),
    z.minLength(1, CODE_REQUIRED),
    z.maxLength(40, 'The code is too long. Check the code and enter it again.'),
  )
const appCode = z.string().check(cleaned(), z.regex(/^\d{3} ?\d{3}$/, CODE_INVALID))

const encoded = (max: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(max))

/** A browser's passkey response (WebAuthn, level 3), limited to the fields that the portal reads. */
const credential = {
  id: encoded(1400),
  rawId: encoded(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.enum(['platform', 'cross-platform']))),
  clientExtensionResults: z._default(z.looseObject({}), {}),
}
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(4000),
    authenticatorData: encoded(4000),
    signature: encoded(4000),
    userHandle: z.optional(z.nullable(encoded(200))),
  }),
})
const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(4000),
    attestationObject: encoded(20_000),
    transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
  }),
})
/** Options for the browser: `PublicKeyCredentialRequestOptionsJSON`, or its counterpart for creating a passkey. */
const options = z.looseObject({ challenge: z.string() })

const appSecret = z.object({ step: z.string(), secret: z.string(), uri: z.string(), issuer: z.string() })

const open = { audience: 'public' } as const
const refused = { whileImpersonating: 'refused', scope: 'none' } as const

/** Checks the second step of sign-in: a code or a passkey assertion. Returns the same response as sign-in. */
export const verifySecondFactor = endpoint({
  path: 'verify/second/factor',
  summary: 'Verifies the second sign-in step by code or passkey',
  access: open,
  ...refused,
  body: z.object({
    ticket: step,
    companyId: anyCompany,
    code: z.optional(anyCode),
    assertion: z.optional(assertion),
  }),
  response: sessionStarted,
})
export const codeForm = z.object({ code: anyCode })

/** Starts the setup of an app if a second factor is required but missing. Returns its secret. */
export const startEnrollment = endpoint({
  path: 'start/second/factor/enrollment',
  summary: 'Starts the setup of a required second factor during sign-in',
  access: open,
  ...refused,
  body: z.object({ ticket: step, companyId: anyCompany }),
  response: z.omit(appSecret, { step: true }),
})

/**
 * Confirms an app by its first code. Returns the same response as sign-in, and the recovery codes, which are shown only
 * once.
 */
export const confirmEnrollment = endpoint({
  path: 'confirm/second/factor/enrollment',
  summary: 'Confirms a required second factor and signs the person in',
  access: open,
  ...refused,
  body: z.object({ ticket: step, companyId: anyCompany, code: appCode }),
  response: z.object({ success: z.literal(true), session: sessionStarted, recoveryCodes: z.array(z.string()) }),
})

/**
 * Returns the browser options for a passkey. With a ticket, accepts only that person's passkeys, for the second step of
 * sign-in.
 */
export const startPasskeySignIn = endpoint({
  path: 'start/passkey/sign-in',
  summary: 'Returns the browser options for a passkey sign-in',
  access: open,
  ...refused,
  body: z.object({ ticket: z.optional(step), companyId: anyCompany }),
  response: z.object({ step: z.string(), options }),
})

/** Signs in with only a passkey, which covers both factors. */
export const passkeySignIn = endpoint({
  path: 'sign-in/with/passkey',
  summary: 'Signs a person in with a passkey',
  access: open,
  ...refused,
  body: z.object({ step, assertion, companyId: anyCompany }),
  response: sessionStarted,
})

/** Access rule for calls that affect only the caller's own account. */
const own: Access = { audience: ['citizen', 'municipality', 'platform'], privilege: ['user_profile', 'update'] }

const passkey = z.object({ id: z.number(), name: z.string(), created: z.string(), used: z.nullable(z.string()) })

/** Returns the caller's sign-in factors other than the password. */
export const myFactors = endpoint({
  path: 'return/profile/factors',
  summary: "Returns the caller's second factor and passkeys",
  access: { ...own, privilege: ['user_profile', 'view'] },
  ...refused,
  body: z.object({}),
  response: z.object({
    /** Authenticator app: the date of its setup and the number of recovery codes left. Null without an app. */
    app: z.nullable(z.object({ since: z.string(), recoveryCodesLeft: z.number() })),
    passkeys: z.array(passkey),
    required: z.boolean(),
  }),
})

/** Proof of identity that every change of factors requires: the password, and a code if one is required. */
export const proof = { password: passwordField, code: z.optional(anyCode) }
export const proofForm = z.object(proof)
export const proofAndCodeForm = z.object({ password: passwordField, code: anyCode })

/**
 * Returns a new secret for an authenticator app. The secret becomes active when the person enters a first code from the
 * app.
 */
export const startAuthenticator = endpoint({
  path: 'start/profile/authenticator',
  summary: "Starts the setup of the caller's authenticator app",
  access: own,
  ...refused,
  body: proofForm,
  response: appSecret,
})

export const appCodeForm = z.object({ code: appCode })

export const confirmApp = endpoint({
  path: 'confirm/profile/authenticator',
  summary: "Turns on the caller's authenticator app with its first code",
  access: own,
  ...refused,
  body: z.extend(appCodeForm, { step }),
  response: z.extend(done, { recoveryCodes: z.array(z.string()) }),
})

export const removeApp = endpoint({
  path: 'remove/profile/authenticator',
  summary: "Removes the caller's authenticator app",
  access: own,
  ...refused,
  body: proofAndCodeForm,
  response: done,
})

export const renewRecoveryCodes = endpoint({
  path: 'renew/profile/recovery/codes',
  summary: "Replaces the caller's recovery codes",
  access: own,
  ...refused,
  body: proofAndCodeForm,
  response: z.extend(done, { recoveryCodes: z.array(z.string()) }),
})

export const startPasskey = endpoint({
  path: 'start/profile/passkey',
  summary: 'Starts the registration of a passkey for the caller',
  access: own,
  ...refused,
  body: proofForm,
  response: z.object({ step: z.string(), options }),
})

export const savePasskey = endpoint({
  path: 'save/profile/passkey',
  summary: 'Saves a new passkey of the caller',
  access: own,
  ...refused,
  body: z.object({ step, attestation }),
  response: z.extend(done, { id: z.number(), name: z.string() }),
})

export const passkeyNameForm = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a name for the passkey.'),
      z.maxLength(60, 'Use up to 60 characters.'),
      z.regex(VISIBLE_LINE, NOT_VISIBLE),
    ),
})

export const renamePasskey = endpoint({
  path: 'rename/profile/passkey',
  summary: "Renames one of the caller's passkeys",
  access: own,
  ...refused,
  body: z.extend(passkeyNameForm, { id }),
  response: done,
})

export const removePasskey = endpoint({
  path: 'remove/profile/passkey',
  summary: "Removes one of the caller's passkeys",
  access: own,
  ...refused,
  body: z.object({ ...proof, id }),
  response: done,
})

const companyId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Returns the second factor requirement for a company's staff, or for platform staff (`companyId` null). */
export const signInRules = endpoint({
  path: 'admin/return/sign-in/rules',
  summary: 'Returns the second factor requirement for staff',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] },
  scope: 'none',
  body: z.object({ companyId: z.optional(z.nullable(companyId)) }),
  response: z.object({ requireSecondFactor: z.boolean(), staff: z.number(), without: z.number() }),
})

export const saveSignInRules = formCall({
  path: 'admin/save/company/sign-in-rules',
  summary: 'Saves the second factor requirement for staff',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'delete'] },
  ...refused,
  body: z.object({
    companyId: z.optional(z.nullable(companyId)),
    requireSecondFactor: z.boolean(),
    /** Version of the record that the form was loaded from (`shared/edits.ts`). */
    basis,
  }),
})
