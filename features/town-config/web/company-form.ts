import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { checkCompanyName, checkSubdomain } from '../../companies/contract.ts'
import { companyForm, NAME_TAKEN, SUBDOMAIN_TAKEN } from '../../companies/rules.ts'
import { type Uniqueness, uniqueness } from './uniqueness.ts'

/** What is known of the two names that only one company may have. */
export interface Names {
  name: Uniqueness
  subdomain: Uniqueness
}

/** `except`: the company that is edited, which may keep what is its own. */
export function namesFor(except?: number): Names {
  const more = except === undefined ? {} : { except }
  return {
    name: uniqueness(async (companyName) => (await call(checkCompanyName, { companyName, ...more })).unique),
    subdomain: uniqueness(async (subdomain) => (await call(checkSubdomain, { subdomain, ...more })).unique),
  }
}

const { companyName, subdomain } = companyForm.shape

/** The rules of the fields with the chain of specification 4.11: both names are asked for, then the fields are looked at. */
export const askingCompanyForm = (names: Names) =>
  z.extend(companyForm, {
    companyName: companyName.check(z.refine(names.name.isFree, { error: NAME_TAKEN })),
    subdomain: subdomain.check(z.refine(names.subdomain.isFree, { error: SUBDOMAIN_TAKEN })),
  })

export type CompanyValues = z.input<typeof companyForm>
export type CompanyOutput = z.output<typeof companyForm>

export const blank: CompanyValues = {
  companyName: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  phone: '',
  companyWebsite: '',
  subdomain: '',
  timeZone: 1,
  online: '' as never,
  intrigratesWithBilling: '' as never,
  isManagedServices: '' as never,
  officeHoursOpen: '08:00',
  officeHoursClosed: '16:30',
}

/** `http://newtown.localhost:3000` of a town on this installation, while its subdomain is typed. */
export const hostOf = (sub: string, here: string): string => here.replace(/^admin\./, `${sub || 'subdomain'}.`)

/** The page of everything that a town can be set to (specification 2.4). */
export const informationOf = (companyId: number, query = ''): string =>
  `/admin/${companyId}/company/information${query}`
