import * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { checkCompanyName, checkSubdomain } from '../../companies/contract.ts'
import { companyForm, isSubdomain, NAME_TAKEN, SUBDOMAIN_TAKEN } from '../../companies/rules.ts'
import { type Uniqueness, uniqueness } from './uniqueness.ts'

/** Availability checks for the two unique names of a company. */
export interface Names {
  name: Uniqueness
  subdomain: Uniqueness
}

/** Creates the availability checks. `except` is the edited company, which may keep its own names. */
export function namesFor(except?: number): Names {
  const more = except === undefined ? {} : { except }
  return {
    name: uniqueness(async (companyName) => (await call(checkCompanyName, { companyName, ...more })).unique),
    subdomain: uniqueness(async (subdomain) => (await call(checkSubdomain, { subdomain, ...more })).unique),
  }
}

const { companyName, subdomain } = companyForm.shape

/**
 * Creates the schema of the company form. In the order of the specification (spec 4.11), it checks both names on the
 * server before the other fields.
 */
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

/** Builds a preview of the URL while the subdomain is typed, such as `http://newtown.localhost:3000`. */
export const hostOf = (sub: string, here: string): string => here.replace(/^admin\./, `${sub || 'subdomain'}.`)

/** Suggests a subdomain for a name: 'Maple Grove' becomes 'maplegrove'. Returns '' if the name has no usable letters. */
export function subdomainFor(name: string): string {
  const suggestion = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return isSubdomain(suggestion) ? suggestion : ''
}

/** Returns the path of a company's settings page (spec 2.4). */
export const informationOf = (companyId: number, query = ''): string =>
  `/admin/${companyId}/company/information${query}`
