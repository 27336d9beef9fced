import { sql } from 'kysely'
import { auditCompanyOrPlatform, type AuditEntry, PLATFORM } from '../../../server/audit.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { notAllowed, notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may, roles } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { saveSignInRules, signInRules } from '../contract.ts'

type RulesContext = Call<{ companyId?: number | null | undefined }>

/**
 * Finds the company that the rules apply to: the caller's own, or the one that platform staff name. Null for platform
 * staff.
 * @throws 404 if the company does not exist
 */
async function companyOf(call: RulesContext) {
  const { context, body } = call
  const session = signedIn(call)
  const id = session.kind === 'municipality' ? session.companyId : body.companyId
  if (id === undefined || id === null) {
    if (session.kind !== 'platform') throw notAllowed()
    return null
  }
  const company = await context.hosts.byId(id)
  if (!company) throw notFound('This municipality was not found.')
  return company
}

async function isRequired(tx: Tx, companyId: CompanyId | null): Promise<boolean> {
  const settings =
    companyId === null
      ? tx.selectFrom('platform_identity_settings').select('require_second_factor')
      : tx.selectFrom('identity_settings').select('require_second_factor').where('company_id', '=', companyId)
  return (await settings.executeTakeFirst())?.require_second_factor ?? false
}

export const signInRulesCall = implement(signInRules, async (call) => {
  const company = await companyOf(call)
  return call.context.acrossCompanies(async (tx) => {
    const people = company
      ? sql`person p WHERE p.company_id = ${company.id} AND p.role_id >= ${roles.municipalityStaff} AND p.is_active = 1`
      : sql`platform_person p WHERE p.is_active = 1`
    const has = (table: string) =>
      company
        ? sql`EXISTS (SELECT FROM ${sql.table(table)} f WHERE f.company_id = p.company_id AND f.person_id = p.id)`
        : sql`EXISTS (SELECT FROM ${sql.table(`platform_${table}`)} f WHERE f.person_id = p.id)`
    const { rows } = await sql<{ staff: number; without: number }>`
      SELECT count(*)::int AS staff,
        (count(*) FILTER (WHERE NOT ${has('authenticator')} AND NOT ${has('passkey')}))::int AS without
      FROM ${people}`.execute(tx)
    return {
      requireSecondFactor: await isRequired(tx, company?.id ?? null),
      staff: rows[0]?.staff ?? 0,
      without: rows[0]?.without ?? 0,
    }
  })
})

/** Applies from the next sign-in. People without a second factor then set one up. */
export const saveSignInRulesCall = implement(saveSignInRules, async (call) => {
  const { context, body } = call
  const company = await companyOf(call)
  if (!company && !may(signedIn(call).privileges, 'user_management', 'update')) throw notAllowed()
  const require_second_factor = await context.acrossCompanies(async (tx) => {
    const edit: Edit = {
      tx,
      clock: context.clock,
      actor: call,
      company: company?.id ?? PLATFORM,
      subject: 'sign-in rules',
    }
    const now = { requireSecondFactor: await isRequired(tx, company?.id ?? null) }
    const own = { requireSecondFactor: body.requireSecondFactor }
    const { requireSecondFactor } = await mergeEdit(edit, { basis: body.basis, own, now })
    await recordChanges(edit, now, { requireSecondFactor })
    const auditEntry: AuditEntry = { action: 'sign_in_rules.saved', detail: { requireSecondFactor } }
    const row = { require_second_factor: requireSecondFactor }
    if (company)
      await tx
        .insertInto('identity_settings')
        .values({ company_id: company.id, ...row })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute()
    else await tx.updateTable('platform_identity_settings').set(row).execute()
    await auditCompanyOrPlatform(tx, context.clock, company?.id ?? null, call, auditEntry)
    return requireSecondFactor
  })
  return { success: true as const, message: savedMessage(company?.name, require_second_factor) }
})

function savedMessage(companyName: string | undefined, everybody: boolean): string {
  if (companyName === undefined)
    return everybody
      ? say`Starting with their next sign-in, platform staff must use two-factor authentication.`
      : say`Two-factor authentication is now optional for platform staff.`
  return everybody
    ? say`Starting with their next sign-in, the staff of ${companyName} must use two-factor authentication.`
    : say`Two-factor authentication is now optional for the staff of ${companyName}.`
}
