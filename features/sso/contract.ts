import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { credentials, signedIn } from '../../shared/accounts.ts'
import { audiences, isHttpsUrl } from './rules.ts'
import { companyId } from '../../shared/body-parts.ts'

const here = z.object({ companyId })
/** Options for calls that need no session. The portal refuses these calls during impersonation. */
const forAnybody = { access: { audience: 'public' }, whileImpersonating: 'refused' } as const

/** Format of the portal's codes, states and secrets: 32 random bytes in base64url. */
const code = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This sign-in is no longer valid. Start again from the sign-in page.'))

/** Loads the single sign-on option for the sign-in page. The option is null if the company has none. */
export const ssoOptions = endpoint({
  path: 'return/sso/options',
  whileOffline: true,
  summary: 'Returns the single sign-on option of the sign-in page',
  access: { audience: 'public' },
  body: here,
  response: z.object({ provider: z.nullable(z.object({ label: z.string() })) }),
})

const started = z.object({
  success: z.literal(true),
  /** URL at the issuer that the browser opens. */
  url: z.string(),
  /** Secret that the browser tab stores and sends when the person returns from the issuer. */
  browser: z.string(),
})

/** Starts a sign-in with the company's issuer. */
export const startSso = endpoint({
  path: 'sso/start',
  whileOffline: true,
  summary: "Starts a sign-in with the company's issuer",
  ...forAnybody,
  body: here,
  response: started,
})

/** Parameters that the issuer returned, and the secret of the browser tab. */
const returned = z.object({
  browser: code,
  state: code,
  code: z.optional(z.string().check(z.maxLength(4096))),
  /** Identifier of the issuer that sent the response (RFC 9207). */
  iss: z.optional(z.string().check(z.maxLength(500))),
  error: z.optional(z.string().check(z.maxLength(200))),
})

/**
 * Identity that is not linked to an account yet. The person must enter the account's password once to prove that the
 * account is theirs.
 */
const pending = z.object({
  outcome: z.literal('prove'),
  ticket: z.string(),
  /** Label of the issuer's button, or name of the billing system. */
  label: z.string(),
  /** Email address from the issuer, which the form shows as its default. Empty if the issuer sent none. */
  email: z.string(),
  /** Customer number in the billing system. Empty for other issuers. */
  customer: z.string(),
  reason: z.enum(['known_email', 'no_email', 'staff_only', 'customer']),
  maySignUp: z.boolean(),
})

const outcome = z.union([z.object({ outcome: z.literal('signed_in'), session: signedIn }), pending])
export type Pending = z.output<typeof pending>

/** Completes the sign-in with a session, or asks the person to prove that the account is theirs. */
export const verifySso = endpoint({
  path: 'sso/verify',
  whileOffline: true,
  summary: "Completes a sign-in with the issuer's response",
  ...forAnybody,
  body: z.extend(returned, { companyId }),
  response: outcome,
})

/** Exchanges the single-use code from a billing system's hand-off for a sign-in. */
export const redeemHandOff = endpoint({
  path: 'sso/redeem/hand/off',
  summary: "Exchanges the code of a billing system's hand-off for a sign-in",
  ...forAnybody,
  body: z.object({ code, companyId }),
  response: outcome,
})

/** If the password is correct, links the identity to the account and signs the person in. */
export const linkSso = endpoint({
  path: 'sso/link',
  whileOffline: true,
  summary: 'Links an identity to an account after a password check',
  ...forAnybody,
  body: z.extend(credentials, { ticket: code, companyId }),
  response: signedIn,
})

/**
 * Removes a link between an identity and an account, and ends the account's sessions. The code comes from the email
 * that told the owner about the link.
 */
export const undoSso = endpoint({
  path: 'sso/undo',
  whileOffline: true,
  summary: 'Removes an identity link with the code from its email',
  ...forAnybody,
  body: z.object({ code, companyId }),
  response: done,
})

/** Defines a call that tests the sign-in. For staff who set up the company. */
const trial = (path: string, summary: string) =>
  ({
    path,
    summary,
    access: { audience: 'municipality', privilege: ['integrations', 'update'] },
    body: here,
  }) as const

export const startSsoTest = endpoint({
  ...trial('muni/start/sso/test', 'Starts a test sign-in without signing anyone in'),
  whileImpersonating: 'refused',
  response: started,
})

export const verifySsoTest = endpoint({
  ...trial('muni/verify/sso/test', 'Result of a test sign-in'),
  whileImpersonating: 'refused',
  body: z.extend(returned, { companyId }),
  response: z.object({
    issuer: z.string(),
    subject: z.string(),
    /** Fields of the account, each with the claim that supplied its value. */
    fields: z.array(z.object({ field: z.string(), claim: z.string(), value: z.string() })),
    emailVerified: z.boolean(),
    /** Description of the effect that a real sign-in would have, as one sentence. */
    would: z.string(),
    /** Names of the other claims that the issuer sent, without their values. */
    otherClaims: z.array(z.string()),
  }),
})

export const ssoTestState = endpoint({
  ...trial('muni/return/sso/test', 'Settings for the single sign-on test'),
  response: z.object({
    shortName: z.string(),
    provider: z.nullable(
      z.object({ label: z.string(), issuer: z.string(), active: z.boolean(), audience: z.enum(audiences) }),
    ),
    redirectUri: z.string(),
  }),
})

const own: Access = { audience: ['citizen', 'municipality'], privilege: ['sign_in_as', 'update'] }

/** Describes the caller's session without secrets. */
export const describeSession = endpoint({
  path: 'return/token/test',
  whileImpersonating: 'refused',
  summary: "Returns the caller's session details",
  access: own,
  body: here,
  response: z.object({
    person: z.string(),
    email: z.string(),
    kind: z.string(),
    roleId: z.int(),
    began: z.string(),
    seen: z.string(),
    expires: z.string(),
    device: z.string(),
    privileges: z.array(z.object({ policy: z.string(), mask: z.int() })),
  }),
})

export const tokenForm = z.object({
  token: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Paste a token: three parts separated by dots.'),
      z.maxLength(16_000, 'This is too long for a token. Paste no more than 16,000 characters.'),
    ),
})

/** Decodes a token and reports the result of each check. The token is not stored. */
export const decodeToken = endpoint({
  path: 'test/token',
  whileImpersonating: 'refused',
  summary: 'Decodes and checks a signed token without storing it',
  access: own,
  body: z.extend(tokenForm, { companyId }),
  response: z.object({
    header: z.string(),
    claims: z.string(),
    checks: z.array(z.object({ name: z.string(), passed: z.boolean(), why: z.string() })),
  }),
})

const webAddress = (message: string) =>
  z.string().check(z.trim(), z.maxLength(300, message), z.refine(isHttpsUrl, message))
const label = (message: string) =>
  z.string().check(z.trim(), z.minLength(1, message), z.maxLength(40, 'Use no more than 40 characters.'))
const claim = z
  .string()
  .check(
    z.trim(),
    z.regex(
      /^[\w:./-]{1,100}$/,
      'Enter a claim name with up to 100 characters. Use only letters, digits and _ : . / -',
    ),
  )

const ISSUER = 'Enter the issuer’s URL. It must start with https://.'

export const providerForm = z.object({
  isActive: z.boolean(),
  label: label('Enter the name that follows "Sign in with" on the button.'),
  issuer: webAddress(ISSUER),
  clientId: z
    .string()
    .check(z.trim(), z.minLength(1, 'Enter the client ID that the issuer gave you.'), z.maxLength(300)),
  /** Client secret. An empty value keeps the current secret. */
  clientSecret: z
    .string()
    .check(z.maxLength(500, 'This is too long for a client secret. Use no more than 500 characters.')),
  audience: z.enum(audiences, { error: 'Choose who can use this sign-in.' }),
  claimEmail: claim,
  claimFirstName: claim,
  claimLastName: claim,
  countsAsSecondFactor: z.boolean(),
})

export const ONE_OF_TWO = 'Enter either the public keys or their URL, not both.'

export const ccsForm = z
  .object({
    isActive: z.boolean(),
    label: label('Enter the name of the billing system.'),
    issuer: z
      .string()
      .check(z.trim(), z.minLength(1, 'Enter the issuer that is named in the tokens.'), z.maxLength(300)),
    /** Public keys as a JSON string. A company sets either `jwks` or `jwksUrl`, the URL of the keys. */
    jwks: z
      .string()
      .check(z.trim(), z.maxLength(20_000, 'This is too long for a key set. Use no more than 20,000 characters.')),
    jwksUrl: z.string().check(
      z.trim(),
      z.maxLength(300),
      z.refine((text) => text === '' || isHttpsUrl(text), 'Enter a URL that starts with https://.'),
    ),
  })
  .check(
    z.refine(({ jwks, jwksUrl }) => (jwks === '') !== (jwksUrl === ''), {
      path: ['jwks'],
      error: ONE_OF_TWO,
    }),
  )

const setUp: Access = { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] }

/** Loads the single sign-on settings of a company. The response never contains the client secret. */
export const companySso = endpoint({
  path: 'admin/return/company/sso',
  summary: 'Returns the single sign-on settings of a company',
  access: setUp,
  body: here,
  response: z.object({
    companyName: z.string(),
    redirectUri: z.string(),
    handOffUrl: z.string(),
    /** Issuer settings. `secretMark` changes when the secret changes, but does not reveal the secret. */
    provider: z.nullable(z.extend(z.omit(providerForm, { clientSecret: true }), { secretMark: z.string() })),
    ccs: z.nullable(
      z.object({ isActive: z.boolean(), label: z.string(), issuer: z.string(), jwks: z.string(), jwksUrl: z.string() }),
    ),
  }),
})

/**
 * Saves the settings of the issuer, the hand-off or both. Parts that the call omits stay unchanged. `basis` contains
 * the form values before the edit (`shared/edits.ts`).
 */
export const saveCompanySso = formCall({
  path: 'admin/save/company/sso',
  summary: 'Saves the single sign-on settings of a company',
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'delete'] },
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    provider: z.optional(providerForm),
    ccs: z.optional(ccsForm),
    basis: z.optional(z.partialRecord(z.enum(['provider', 'ccs']), z.record(z.string(), z.unknown()))),
  }),
  /** `works` is false if the portal cannot use the issuer with the saved settings. */
  response: z.extend(done, { works: z.boolean() }),
})
