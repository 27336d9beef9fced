import { implement } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { roles } from '../../../shared/privileges.ts'
import { companyReadiness } from '../contract.ts'
import type { ReadinessStep } from '../rules.ts'
import { readCompanyConfig } from './stored.ts'

/** Lists the steps that a company must complete before it goes online, with their status. */
export const showReadiness = implement(companyReadiness, async ({ context, company }) => ({
  steps: await context.acrossCompanies(async (tx) => {
    const { modules, tiles, theme, processors, contacts } = await readCompanyConfig(tx, company.id)
    const step = (name: ReadinessStep, done: boolean) => ({ step: name, done })
    return [
      step('administrator', await hasAdministrator(tx, company.id)),
      step('processor', processors.primary_contact !== null),
      // The step `accounts` applies only to companies with the utility portal, because no other module accepts bill
      // payments.
      ...(modules['/utility-portal'] === 1 ? [step('accounts', await hasAccounts(tx, company.id))] : []),
      step(
        'tiles',
        tiles.tiles.some(({ active }) => active === 1),
      ),
      step('logo', theme.logo !== ''),
      step('contacts', contacts.contacts.length > 0),
    ]
  }),
}))

/** Returns true if an active administrator has set a password. */
const hasAdministrator = async (tx: Tx, company: CompanyId): Promise<boolean> =>
  (await tx
    .selectFrom('person')
    .select('id')
    .where('company_id', '=', company)
    .where('role_id', '=', roles.municipalityAdmin)
    .where('is_active', '=', 1)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()) !== undefined

const hasAccounts = async (tx: Tx, company: CompanyId): Promise<boolean> =>
  (await tx.selectFrom('utility_account').select('id').where('company_id', '=', company).executeTakeFirst()) !==
  undefined
