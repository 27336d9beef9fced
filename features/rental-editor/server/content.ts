import { sql } from 'kysely'
import * as z from 'zod/mini'
import { defineContent, lastEditOf } from '../../../server/contents.ts'
import { formatCents } from '../../../shared/money.ts'
import { plural, say, translated } from '../../../shared/messages.ts'
import { findResource, formOf, manageCalls, MAX_SPACES, spacesOf } from '../../rentals/api.ts'
import {
  addResource,
  addSpace,
  type ResourceForm,
  resourceForm,
  saveResource,
  spaceForm,
} from '../../rentals/contract.ts'
import { kindLabels, type ResourceKind, STAFF_PATH } from '../../rentals/rules.ts'
import { seasonText } from '../../rentals/rules-hours.ts'

/** Settings of a new resource that files and packs do not name. */
export const usualResource = {
  ...{ location: '', resourceRules: '', amenities: '', accessibility: '', capacity: 0, pieces: 1 },
  ...{ needsApproval: false, certificateFrom: null, hasQuestions: false, seriesDates: 0, seriesApproval: true },
  ...{ closedOnHolidays: false, stepMinutes: 60, minMinutes: 60, maxMinutes: 600, noticeHours: 24, aheadDays: 365 },
  ...{ beforeMinutes: 0, afterMinutes: 30, chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0 },
  ...{ addons: [], refundDays: 7, latePercent: 50, door: '', glAccount: '' },
} satisfies Partial<ResourceForm>

type Space = z.output<typeof spaceForm>
const money = (cents: number) => formatCents(cents)

export const resourceContent = defineContent({
  kind: 'rental-resource',
  label: 'Rental resources',
  area: 'rentals',
  permission: 'create',
  calls: manageCalls,
  names: { table: 'rental_resource', column: 'name', maxLength: 80 },
  settings: {
    ...{ name: 'Name', kind: 'Kind', description: 'Description', location: 'Location', resourceRules: 'Rules' },
    ...{ amenities: 'Amenities', accessibility: 'Accessibility', capacity: 'Capacity', pieces: 'Number of pieces' },
    ...{ needsApproval: 'Approval of each reservation', certificateFrom: 'Certificate of insurance' },
    ...{ hasQuestions: 'Questions for renters', seriesDates: 'Maximum dates per resident request' },
    ...{ seriesApproval: 'Approval of several dates', seasons: 'Opening hours' },
    ...{ closedOnHolidays: 'Closed on municipal holidays', stepMinutes: 'Start times every, in minutes' },
    ...{ minMinutes: 'Minimum length in minutes', maxMinutes: 'Maximum length in minutes' },
    ...{ noticeHours: 'Minimum notice in hours', aheadDays: 'Maximum days ahead' },
    ...{ beforeMinutes: 'Setup time in minutes', afterMinutes: 'Cleanup time in minutes' },
    ...{ chargedBy: 'Charged per', residentCents: 'Resident price', otherCents: 'Nonresident price' },
    ...{ depositCents: 'Security deposit', addons: 'Add-ons', refundDays: 'Days of the full refund' },
    ...{ latePercent: 'Percentage of a later refund', agreement: 'Agreement', spaces: 'Spaces' },
  },
  texts: {
    kind: (value: ResourceKind) => translated(kindLabels[value]),
    certificateFrom: (value: number | null) =>
      value === null ? say`Never required` : say`Required from ${plural(value, 'one person', '# people')}`,
    seasons: (value: ResourceForm['seasons']) => value.map(seasonText).join('\n'),
    chargedBy: (value: ResourceForm['chargedBy']) => (value === 'hour' ? say`Hour` : say`Day`),
    ...{ residentCents: money, otherCents: money, depositCents: money },
    addons: (value: ResourceForm['addons']) => value.map(({ name, cents }) => `${name} ${money(cents)}`).join('\n'),
    spaces: (value: Space[]) => value.map(({ name, pricePercent }) => `${name} ${pricePercent}%`).join('\n'),
  },
  onlyNew: ['spaces'],
  local: ['location'],
  usual: { ...usualResource, status: 'draft', spaces: [] },
  schema: z.safeExtend(resourceForm, {
    spaces: z._default(z.array(spaceForm).check(z.maxLength(MAX_SPACES - 1)), []),
  }),
  async read(tx, company, id) {
    const resource = await findResource(tx, company, id)
    const parts = (await spacesOf(tx, company, id)).filter(({ parent_id }) => parent_id !== null)
    const spaces = parts.map(({ name, price_percent: pricePercent }) => ({ name, pricePercent }))
    return { form: { ...formOf(resource), spaces }, fieldSet: resource.field_set_id, departmentId: null }
  },
  async create({ run }, settings) {
    const { spaces, ...form } = settings as unknown as ResourceForm & { spaces: Space[] }
    const { resourceId } = await run(addResource, { ...form, status: 'draft', door: '' })
    for (const space of spaces) await run(addSpace, { ...space, resourceId })
    return resourceId
  },
  save(run, resourceId, values, basis) {
    const { spaces: _spaces, ...form } = values as unknown as ResourceForm & { spaces: Space[] }
    return run(saveResource, { ...form, resourceId, basis })
  },
  listed: sql`
    SELECT r.company_id, r.id, r.name AS title, ${lastEditOf(sql`'rental_resource:' || r.id`)} AS changed_at
    FROM rental_resource r WHERE r.status = 'open'`,
  path: (id) => `${STAFF_PATH}?of=resources&rental=${id}`,
})
