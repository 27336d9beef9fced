import { createCompany } from '../features/companies/contract.ts'
import { acceptCompanyInvitation } from '../features/identity/contract.ts'
import { companyStaff } from '../features/staff/contract.ts'
import { saveSetupChoice } from '../features/town-config/contract-setup.ts'
import { callOn, sessionOf } from './calls.ts'
import { PASSWORD, unique } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'

/** Creates a company that only the calling test uses. It charges the usual fees, unless `fees` is false. */
export async function setUpCompany(
  name: string,
  { fees = true } = {},
): Promise<{ companyId: number; subdomain: string; token: string; name: string }> {
  const { token } = await sessionOf('admin', 'super@mainstreet.example')
  const stamp = unique()
  const [companyName, subdomain] = [`${name} ${stamp}`, `${name}-${stamp}`.toLowerCase()]
  const { companyId } = await callOn(
    'admin',
    createCompany,
    {
      ...{ companyName, subdomain, address: '1 Mill Lane', city: name, state: 'PA', zip: '17033' },
      ...{ phone: '717-555-0133', companyWebsite: 'www.town.example.org', timeZone: 1, online: 1 },
      ...{ intrigratesWithBilling: 1, isManagedServices: 0 },
    },
    token,
  )
  if (fees) await callOn('admin', saveSetupChoice, { companyId, step: 'fees', choice: 'usual' }, token)
  return { companyId, subdomain, token, name: companyName }
}

/** Invites a person to the staff of a company and sets their password. Returns their email. */
export async function addStaff(
  { companyId, subdomain, token }: { companyId: number; subdomain: string; token: string },
  person: { firstName: string; lastName: string; roleId: number },
): Promise<string> {
  const email = `${person.firstName}-${subdomain}@example.org`.toLowerCase()
  const invited = { ...person, companyId, email, position: 1, departmentId: null }
  await callOn('admin', companyStaff.invite, invited, token)
  const code = /invitation=([\w-]{43})/.exec(linkIn(await emailTo(email, /invitation/)))?.[1] ?? ''
  await callOn(subdomain, acceptCompanyInvitation, { code, password: PASSWORD })
  return email
}
