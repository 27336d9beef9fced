import { createHash } from 'node:crypto'
import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Values } from '../../../shared/edits.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import { companySso, ONE_OF_TWO, saveCompanySso } from '../contract.ts'
import { issuerProblemOf } from './attempts.ts'
import { type CcsIssuer, ccsIssuerOf } from './hand-off.ts'
import { ssoProviderOf, redirectUriOf, type SsoProvider } from './issuers.ts'
import { readKeys } from './keys.ts'

export const companySsoCall = implement(companySso, async (call) => {
  const { context, company } = call
  const { provider, ccs } = await call.inCompany(async (tx) => ({
    provider: await ssoProviderOf(tx, company.id),
    ccs: await ccsIssuerOf(tx, company.id),
  }))
  return {
    companyName: company.name,
    redirectUri: redirectUriOf(context, company),
    handOffUrl: `${originOf(context.config, company.subdomain)}/sso/verify-ccs-token`,
    provider: provider ? providerView(provider) : null,
    ccs: ccs ? ccsView(ccs) : null,
  }
})

/** Returns the settings of an issuer without its secret. */
const providerView = (provider: SsoProvider) => ({
  ...{ isActive: provider.is_active === 1, label: provider.label, issuer: provider.issuer },
  ...{ clientId: provider.client_id, audience: provider.audience, claimEmail: provider.claim_email },
  ...{ claimFirstName: provider.claim_first_name, claimLastName: provider.claim_last_name },
  countsAsSecondFactor: provider.counts_as_second_factor,
  secretMark: createHash('sha256').update(provider.client_secret_sealed).digest('base64url').slice(0, 12),
})

const ccsView = (ccs: CcsIssuer) => ({
  ...{ isActive: ccs.is_active === 1, label: ccs.label, issuer: ccs.issuer, jwksUrl: ccs.jwks_url ?? '' },
  jwks: ccs.jwks ? JSON.stringify(ccs.jwks, null, 2) : '',
})

const NO_SECRET = 'Enter the client secret that the issuer gave you.'
const NEW_SECRET =
  'You changed the issuer, so enter the client secret again. We never send a secret to a different issuer.'
const NO_KEYS =
  'We cannot use these public keys. Paste a JSON object with "keys". Each key must be Ed25519, or RSA of at least 2048 bits, and must not include private key data.'

/** Saves the settings of the issuer, the hand-off or both. Parts that the call omits stay unchanged. */
export const saveCompanySsoCall = implement(saveCompanySso, async (call) => {
  const { body } = call
  const saved = await call.inCompany(async (tx) => {
    const row = body.provider ? await saveProvider(tx, call, body.provider, body.basis?.provider) : null
    if (body.ccs) await saveCcs(tx, call, body.ccs, body.basis?.ccs)
    return row
  })
  const trouble = saved && (await issuerProblemOf(call, saved))
  const message = trouble
    ? say`Saved, but ${saved.label} does not work yet: ${trouble}. Check the issuer’s URL.`
    : say`The single sign-on settings were saved.`
  return { success: true as const, message, works: !trouble }
})

const editOf = (tx: Tx, call: Call, subject: string): Edit => ({
  ...{ tx, clock: call.context.clock, actor: call, company: call.company.id, subject },
})

/**
 * Saves the issuer settings and merges concurrent edits. If the secret is unchanged, the form leaves it empty. The
 * merge therefore compares a mark that represents the secret.
 */
async function saveProvider(tx: Tx, call: Call, form: Form, opened?: Values): Promise<SsoProvider> {
  const { context, company } = call
  const edit = editOf(tx, call, 'single sign-on')
  const before = await ssoProviderOf(tx, company.id, { hold: true })
  const current = before && { ...providerView(before), clientSecret: providerView(before).secretMark }
  const mark = typeof opened?.['secretMark'] === 'string' ? opened['secretMark'] : ''
  const merged = current
    ? await mergeEdit(edit, {
        basis: opened && { ...opened, clientSecret: mark },
        own: { ...form, clientSecret: form.clientSecret || mark },
        ...{ now: current, secret: 'clientSecret', labelsOf: secretTexts },
      })
    : form
  const typed = merged.clientSecret === form.clientSecret ? form.clientSecret : ''
  const row = rowOf(company.id, { ...merged, clientSecret: typed }, before, context.secrets.seal)
  await tx
    .insertInto('sso_provider')
    .values(row)
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
    .execute()
  await recordChanges(edit, current ?? {}, { ...providerView(row), clientSecret: providerView(row).secretMark })
  const { issuer, clientId, audience, isActive, countsAsSecondFactor } = merged
  const detail = { issuer, clientId, audience, isActive, countsAsSecondFactor, newSecret: typed !== '' }
  await call.audit(tx, { action: 'sso.provider_saved', subject: { kind: 'company', id: company.id }, detail })
  return row
}

const secretTexts = (field: string) =>
  field === 'clientSecret'
    ? { texts: { own: say`the secret that you entered`, others: say`another secret, stored encrypted` } }
    : {}

async function saveCcs(tx: Tx, call: Call, form: CcsForm, opened?: Values): Promise<void> {
  const { company } = call
  const edit = editOf(tx, call, 'hand-off')
  const before = await ccsIssuerOf(tx, company.id, { hold: true })
  const current = before && ccsView(before)
  const merged = current ? await mergeEdit(edit, { basis: opened, own: form, now: current }) : form
  const { label, issuer, jwksUrl, isActive } = merged
  const keys = merged.jwks ? await readKeys(merged.jwks) : null
  if (merged.jwks && !keys) throw rejected(NO_KEYS, { jwks: NO_KEYS })
  if (keys && jwksUrl) throw rejected(ONE_OF_TWO, { jwks: ONE_OF_TWO })
  const values = {
    ...{ company_id: company.id, issuer, label, is_active: isActive ? (1 as const) : (0 as const) },
    ...{ jwks: keys && JSON.stringify(keys), jwks_url: jwksUrl || null },
  }
  await tx
    .insertInto('ccs_issuer')
    .values(values)
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute()
  await recordChanges(edit, current ?? {}, merged)
  const detail = { issuer, isActive, keys: jwksUrl || `${keys?.keys.length} given` }
  await call.audit(tx, { action: 'sso.billing_system_saved', subject: { kind: 'company', id: company.id }, detail })
}

type Form = NonNullable<RequestOf<typeof saveCompanySso>['provider']>
type CcsForm = NonNullable<RequestOf<typeof saveCompanySso>['ccs']>

function rowOf(
  company_id: number,
  form: Form,
  before: SsoProvider | undefined,
  seal: (text: string) => string,
): SsoProvider {
  if (!form.clientSecret && !before) throw rejected(NO_SECRET, { clientSecret: NO_SECRET })
  if (!form.clientSecret && before?.issuer !== form.issuer) throw rejected(NEW_SECRET, { clientSecret: NEW_SECRET })
  return {
    ...{ company_id, issuer: form.issuer, client_id: form.clientId, label: form.label, audience: form.audience },
    client_secret_sealed: form.clientSecret ? seal(form.clientSecret) : (before?.client_secret_sealed ?? ''),
    ...{ claim_email: form.claimEmail, claim_first_name: form.claimFirstName, claim_last_name: form.claimLastName },
    ...{ counts_as_second_factor: form.countsAsSecondFactor, is_active: form.isActive ? 1 : 0 },
  }
}
