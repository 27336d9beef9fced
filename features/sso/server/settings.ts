import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { rejected } from '../../../server/errors.ts'
import { companySso, saveCompanySso } from '../contract.ts'
import { troubleWith } from './attempts.ts'
import { ccsIssuerOf } from './hand-off.ts'
import { providerOf, redirectUriOf, type SsoProvider } from './issuers.ts'
import { readKeys } from './keys.ts'

export const companySsoCall = implement(companySso, async (call) => {
  const { house, company } = call
  const { provider, ccs } = await call.inCompany(async (tx) => ({
    provider: await providerOf(tx, company.id),
    ccs: await ccsIssuerOf(tx, company.id),
  }))
  return {
    companyName: company.name,
    redirectUri: redirectUriOf(house, company),
    handOffUrl: `${originOf(house.config, company.subdomain)}/sso/verify-ccs-token`,
    provider: provider
      ? {
          ...{ isActive: provider.is_active === 1, label: provider.label, issuer: provider.issuer },
          ...{ clientId: provider.client_id, hasSecret: true, audience: provider.audience },
          ...{ claimEmail: provider.claim_email, claimFirstName: provider.claim_first_name },
          claimLastName: provider.claim_last_name,
          countsAsSecondFactor: provider.counts_as_second_factor,
        }
      : null,
    ccs: ccs
      ? {
          ...{ isActive: ccs.is_active === 1, label: ccs.label, issuer: ccs.issuer, jwksUrl: ccs.jwks_url ?? '' },
          jwks: ccs.jwks ? JSON.stringify(ccs.jwks, null, 2) : '',
        }
      : null,
  }
})

const NO_SECRET = 'Enter the client secret that the issuer gave you.'
const NEW_SECRET = 'Enter the client secret again: it is never sent to another issuer than the one it is from.'
const NO_KEYS =
  'These are no public keys that can be used: paste a JSON object with "keys", each an Ed25519 or RSA key of at least 2048 bits, without private parts.'

/** Both may be set at once or one of them; what is not named stays. */
export const saveCompanySsoCall = implement(saveCompanySso, async (call) => {
  const { company, house, body } = call
  const keys = body.ccs?.jwks ? await readKeys(body.ccs.jwks) : null
  if (body.ccs?.jwks && !keys) throw rejected(NO_KEYS, { jwks: NO_KEYS })
  const saved = await call.inCompany(async (tx) => {
    let row: SsoProvider | null = null
    if (body.provider) {
      const before = await providerOf(tx, company.id)
      row = rowOf(company.id, body.provider, before, house.secrets.seal)
      await tx
        .insertInto('sso_provider')
        .values(row)
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row as SsoProvider))
        .execute()
      const { issuer, clientId, audience, isActive, countsAsSecondFactor } = body.provider
      const detail = {
        issuer,
        clientId,
        audience,
        isActive,
        countsAsSecondFactor,
        newSecret: body.provider.clientSecret !== '',
      }
      await call.audit(tx, { action: 'sso.provider_saved', subject: { kind: 'company', id: company.id }, detail })
    }
    if (body.ccs) {
      const { label, issuer, jwksUrl, isActive } = body.ccs
      const values = {
        ...{ company_id: company.id, issuer, label, is_active: isActive ? (1 as const) : (0 as const) },
        ...{ jwks: keys && JSON.stringify(keys), jwks_url: jwksUrl || null },
      }
      await tx
        .insertInto('ccs_issuer')
        .values(values)
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
        .execute()
      const detail = { issuer, isActive, keys: jwksUrl || `${keys?.keys.length} given` }
      await call.audit(tx, { action: 'sso.billing_system_saved', subject: { kind: 'company', id: company.id }, detail })
    }
    return row
  })
  const trouble = saved && (await troubleWith(call, saved))
  const message = trouble
    ? `Saved. But ${saved.label} cannot be used yet: ${trouble}. Check the issuer’s address.`
    : 'Single sign-on was saved.'
  return { success: true as const, message }
})

type Form = NonNullable<Parameters<Parameters<typeof implement<typeof saveCompanySso>>[1]>[0]['body']['provider']>

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
