import { implement, signedIn } from '../../../server/call.ts'
import { supportPrefill } from '../contract.ts'
import { companyPersonOf } from '../../../server/sessions.ts'

const nothing = {
  ...{ firstName: '', lastName: '', email: '', phone: '', accountNumber: '' },
  ...{ address: '', city: '', state: '', zipcode: '' },
}

/** Initial values of the form (spec 2.7): the person's data and their first linked account. */
export const supportPrefillCall = implement(supportPrefill, async (call) => {
  const { company } = call
  const id = companyPersonOf(signedIn(call))
  if (id === null) return nothing
  return call.inCompany(async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select(['first_name', 'last_name', 'email', 'mobile_no', 'service_address', 'city', 'state', 'zipcode'])
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!person) return nothing
    const account = await tx
      .selectFrom('linked_account as l')
      .innerJoin('utility_account as a', (join) =>
        join.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.account_id'),
      )
      .select(['a.account_number', 'a.service_address', 'a.phone_no'])
      .where('l.company_id', '=', company.id)
      .where('l.person_id', '=', id)
      .orderBy('l.linked_at')
      .orderBy('l.account_id')
      .limit(1)
      .executeTakeFirst()
    return {
      ...{ firstName: person.first_name, lastName: person.last_name, email: person.email },
      ...{ city: person.city, state: person.state, zipcode: person.zipcode },
      phone: person.mobile_no || account?.phone_no || '',
      address: person.service_address || account?.service_address || '',
      accountNumber: account?.account_number ?? '',
    }
  })
})
