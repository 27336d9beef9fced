import * as z from 'zod/mini'
import { signedCents } from '../../shared/money.ts'
import { cents, defineList, fact, filters, text } from '../../shared/list.ts'

/** Text shown in place of an email if no one has linked the account (spec 6.4). */
export const NO_PROFILE = 'No Profile Created'

/**
 * The company's utility accounts with the residents who linked them, or residents without an account (spec 2.3, 2.18).
 */
export const utilityCustomers = defineList('muni/return/utility/customers', 'Utility Customers', {
  nouns: ['customer', 'customers'],
  summary: "Lists the company's utility accounts and residents",
  access: { audience: ['municipality'], privilege: ['customers', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    // The resident's id. Null if the account has no profile. The row's own id is the account's id, or the resident's id
    // in lists of profiles.
    userId: fact(z.nullable(z.number())),
    impersonable: fact(z.boolean()),
    name: text('Name', { primary: true, sort: 'asc' }),
    email: text('Email', { priority: 4 }),
    serviceAddress: text('Service Address', { priority: 1 }),
    phone: text('Phone', { chars: 18 }),
    accountNumber: text('Account Number', { sort: 'asc', chars: 8, priority: 1 }),
    linkedAccounts: text('Linked Accounts', { priority: 4, chars: 12 }),
  },
  filters: {
    email: filters.text('Email'),
    name: filters.text('Name'),
    serviceAddress: filters.text('Service Address'),
    phone: filters.text('Phone'),
    accountNumber: filters.text('Customer Number'),
    shutoff: filters.choice('Shutoff', { scheduled: 'Scheduled', off: 'Shut off' }, 'All accounts'),
    profiles: filters.flag('Search for profiles without utility accounts'),
  },
  search: 'Search all fields',
  csv: { path: 'muni/export/utility/customers', file: 'customers' },
})

/** The company's parcels with the utility accounts at their addresses, and their owners (spec 2.3). */
export const propertyCustomers = defineList('muni/return/property/customers', 'Property Customers', {
  nouns: ['property', 'properties'],
  summary: "Lists the company's parcels with their utility accounts",
  access: { audience: ['municipality'], privilege: ['customers', 'view'] },
  ofCompany: true,
  personal: true,
  columns: {
    parcel: text('Parcel', { primary: true, sort: 'asc', chars: 16 }),
    address: text('Address', { sort: 'asc', priority: 1 }),
    owner: text('Owner', { sort: 'asc', priority: 2 }),
    landUse: text('Land use', { priority: 4 }),
    customers: text('Customers', { priority: 1, empty: 'None' }),
    accounts: text('Accounts', { priority: 2, chars: 9, empty: 'None' }),
    owedCents: { ...cents('Owed', { priority: 2 }), value: z.nullable(signedCents) },
  },
  usualSort: 'address',
  filters: {
    street: filters.text('Street'),
    zone: filters.text('Zone'),
  },
  search: 'Parcel, address or owner',
  csv: { path: 'muni/export/property/customers', file: 'property-customers' },
})
