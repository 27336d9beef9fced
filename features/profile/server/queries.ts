import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import type { saveProfile } from '../contract.ts'

const shared = ['first_name', 'last_name', 'email', 'city', 'state', 'zipcode', 'mobile_no'] as const
type Form = RequestOf<typeof saveProfile>['formData']

/**
 * Finds the profile of a person in a company, or of platform staff if `company` is null. Platform staff have no alerts
 * and no unconfirmed email. With `hold`, the row stays locked until the transaction ends.
 */
export async function findProfile(tx: Tx, company: CompanyId | null, id: number, { hold = false } = {}) {
  if (company === null) {
    const person = await tx
      .selectFrom('platform_person')
      .select([...shared, 'address as service_address'])
      .where('id', '=', id)
      .$if(hold, (query) => query.forNoKeyUpdate())
      .executeTakeFirstOrThrow()
    const none = { active_phone_alerts: null, active_email_alerts: null, primary_contact_method: 1 }
    return { ...person, ...none, email_confirmed: true }
  }
  const { email_confirmed_at, ...person } = await tx
    .selectFrom('person')
    .select([...shared, 'service_address', 'active_phone_alerts', 'active_email_alerts', 'primary_contact_method'])
    .select('email_confirmed_at')
    .where('company_id', '=', company)
    .where('id', '=', id)
    .$if(hold, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow()
  return { ...person, email_confirmed: email_confirmed_at !== null }
}

/** Saves the fields of the profile form. Never changes the email, the role or an earlier choice about alerts. */
export async function writeProfile(tx: Tx, company: CompanyId | null, id: number, form: Form): Promise<void> {
  const { first_name, last_name, service_address, city, state, zipcode } = form
  const fields = { first_name, last_name, city, state, zipcode, mobile_no: form.mobile_no }
  if (company === null) {
    await tx
      .updateTable('platform_person')
      .set({ ...fields, address: service_address })
      .where('id', '=', id)
      .execute()
    return
  }
  await tx
    .updateTable('person')
    .set((e) => ({
      ...fields,
      service_address,
      active_phone_alerts: e.fn.coalesce('active_phone_alerts', e.val(form.active_phone_alerts ?? null)),
      active_email_alerts: e.fn.coalesce('active_email_alerts', e.val(form.active_email_alerts ?? null)),
    }))
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()
}
