import type { PrefillData } from '../../shared/fields/prefill.ts'
import type { CompanyId, Tx } from '../tenancy.ts'

/** What stands in a resident's profile, for the fields that are filled in from there. */
export async function knownOf(tx: Tx, company: CompanyId, person: number): Promise<PrefillData> {
  const row = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name', 'email', 'mobile_no', 'service_address', 'city', 'state', 'zipcode'])
    .where('company_id', '=', company)
    .where('id', '=', person)
    .executeTakeFirst()
  if (!row) return {}
  const { first_name, last_name, email, mobile_no: phone, service_address: address1, city, state, zipcode } = row
  const address = { address1, address2: '', city, state, zipcode }
  return { first_name, last_name, email, phone, ...(address1 && { address }) }
}

/** The same as a form of contact has it; of a guest nothing. */
export async function contactOf(tx: Tx, company: CompanyId, person: number | null) {
  const {
    first_name = '',
    last_name = '',
    email = '',
    phone = '',
  } = person === null ? {} : await knownOf(tx, company, person)
  return { name: `${first_name} ${last_name}`.trim(), email, phone }
}
