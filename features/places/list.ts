import type { Access } from '../../shared/endpoint.ts'
import { defineList, text } from '../../shared/list.ts'

/** Here, platform staff have the same privileges as a company's staff (product rules, section 8). */
export const audience = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience, privilege: ['places', 'view'] }

/** Parcels of the company with their owners. */
export const parcels = defineList('muni/return/parcels', 'Parcels', {
  nouns: ['parcel', 'parcels'],
  summary: 'Lists the parcels of the company',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    number: text('Parcel', { primary: true, sort: 'asc' }),
    address: text('Address', { sort: 'asc' }),
    owner: text('Owner', { sort: 'asc' }),
    landUse: text('Land use', { sort: 'asc', group: true, priority: 3 }),
  },
  search: 'Parcel, address or owner',
  csv: { path: 'muni/export/parcels', file: 'parcels' },
})
