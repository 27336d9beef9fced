import type { PrefillData } from '../../shared/fields/prefill.ts'
import { recipientOf } from '../current-preview.ts'
import type { CompanyId, Tx } from '../tenancy.ts'

/** Reads a resident's profile data for prefilled fields. In a preview, the email is that of the staff member. */
export async function prefillDataOf(tx: Tx, company: CompanyId, person: number): Promise<PrefillData> {
  const row = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name', 'email', 'mobile_no', 'service_address', 'city', 'state', 'zipcode'])
    .where('company_id', '=', company)
    .where('id', '=', person)
    .executeTakeFirst()
  if (!row) return {}
  const { first_name, last_name, mobile_no: phone, service_address: address1, city, state, zipcode } = row
  const address = { address1, address2: '', city, state, zipcode }
  return { first_name, last_name, email: recipientOf(row.email), phone, ...(address1 && { address }) }
}

/** Reads the profile data for a contact form. Empty for a guest. */
export async function contactOf(tx: Tx, company: CompanyId, person: number | null) {
  const {
    first_name = '',
    last_name = '',
    email = '',
    phone = '',
  } = person === null ? {} : await prefillDataOf(tx, company, person)
  return { name: `${first_name} ${last_name}`.trim(), email, phone }
}
