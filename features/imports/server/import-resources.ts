import { defineColumns } from '../../../server/columns.ts'
import { say } from '../../../shared/messages.ts'
import { defineImporter, dollarsIn, oneOf, parseRow } from '../../../server/importers.ts'
import { createResource, resourceUndo } from '../../rentals/api.ts'
import { resourceForm } from '../../rentals/contract.ts'
import type { ResourceKind } from '../../rentals/rules.ts'

const columns = defineColumns('resources', {
  needs: ['name', 'kind', 'account'],
  columns: {
    name: { title: 'Resource', aliases: 'name facility facility_name resource_name title', sample: 'Lions Pavilion' },
    kind: {
      title: 'Type',
      aliases: 'kind facility_type category',
      sample: 'Pavilion',
      preset: 'Pavilion',
    },
    description: { title: 'Description', aliases: 'details about', sample: 'Twelve tables and a grill' },
    location: { title: 'Location', aliases: 'address park site', sample: 'Riverside Park' },
    capacity: { title: 'Capacity', aliases: 'max_guests occupancy seats', content: 'number', sample: '80' },
    pieces: { title: 'Pieces', aliases: 'quantity count units', content: 'number' },
    resident: {
      title: 'Price for residents',
      aliases: 'resident_price price rate resident_rate fee resident_fee',
      content: 'money',
      sample: '25.00',
    },
    other: {
      title: 'Price for nonresidents',
      aliases: 'nonresident_price non_resident_rate nonresident_rate non_resident_price nonresident_fee',
      content: 'money',
      sample: '40.00',
    },
    deposit: { title: 'Security deposit', aliases: 'deposit', content: 'money', sample: '50.00' },
    per: { title: 'Charged by', aliases: 'per unit rate_unit', sample: 'Hour' },
    account: {
      title: 'GL account',
      aliases: 'gl gl_code account ledger_account',
      content: 'code',
      sample: '100-367',
      preset: 'RENTALS',
    },
  },
})

const kinds = new Map<string, ResourceKind>(
  (
    [
      ['pavilion', 'pavilion shelter gazebo picnic'],
      ['hall', 'hall room building center'],
      ['field', 'field court diamond park'],
      ['equipment', 'equipment item'],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
)
const units = new Map<string, 'hour' | 'day'>([
  ['', 'hour'],
  ['hour', 'hour'],
  ['hourly', 'hour'],
  ['day', 'day'],
  ['daily', 'day'],
])

/** Imports resources as drafts. Staff check the hours and rules before residents can see them. */
defineImporter({
  kind: 'resources',
  columns,
  max: 500,
  undo: resourceUndo,
  async start({ tx, call }) {
    const rows = await tx
      .selectFrom('rental_resource')
      .select('name')
      .where('company_id', '=', call.company.id)
      .execute()
    const existing = new Set(rows.map(({ name }) => name.toLowerCase()))
    return {
      take: (get) => {
        const cents = (name: 'resident' | 'other' | 'deposit', title: string) =>
          get(name) === '' ? 0 : dollarsIn(title, get(name))
        const residentCents = cents('resident', say`Price for residents`)
        return parseRow(resourceForm, {
          ...{
            name: get('name'),
            kind: oneOf(say`Type`, get('kind'), kinds),
            status: 'draft',
            location: get('location'),
          },
          ...{ description: get('description', 1000), resourceRules: '', amenities: '', accessibility: '' },
          ...{ capacity: Number(get('capacity') || 0), pieces: Number(get('pieces') || 1), needsApproval: true },
          seasons: [
            {
              from: '01-01',
              until: '12-31',
              days: [1, 2, 3, 4, 5, 6, 7],
              opens: '08:00',
              closes: '22:00',
              percent: 100,
            },
          ],
          ...{
            closedOnHolidays: true,
            stepMinutes: 60,
            minMinutes: 60,
            maxMinutes: 480,
            noticeHours: 24,
            aheadDays: 365,
          },
          ...{
            beforeMinutes: 0,
            afterMinutes: 30,
            chargedBy: oneOf(say`Charged by`, get('per'), units),
            residentCents,
          },
          otherCents: get('other') === '' ? residentCents : cents('other', say`Price for nonresidents`),
          depositCents: cents('deposit', say`Security deposit`),
          ...{ addons: [], refundDays: 7, latePercent: 0, agreement: '', door: '', glAccount: get('account') },
        })
      },
      keyOf: ({ name }) => name.toLowerCase(),
      async write(form) {
        if (existing.has(form.name.toLowerCase())) return 'unchanged'
        await createResource(tx, call, form)
        return 'created'
      },
    }
  },
})
