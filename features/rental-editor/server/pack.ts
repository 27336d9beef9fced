import { definePack } from '../../../server/packs.ts'
import { plural, say } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { manageCalls } from '../../rentals/api.ts'
import { addResource, type ResourceForm } from '../../rentals/contract.ts'
import { usualResource } from './content.ts'

type RentalEntry = Pick<ResourceForm, 'name' | 'kind' | 'description' | 'seasons' | 'agreement'> & Partial<ResourceForm>

/** Examples of resources for rent. They stay drafts, because each municipality has its own places and prices. */
export const rentalPack = definePack<RentalEntry>({
  pack: 'rental-examples',
  label: 'Rental examples',
  area: 'rentals',
  content: 'rental-resource',
  calls: manageCalls,
  existing: (tx, company) =>
    tx.selectFrom('rental_resource').select(['id', 'name as title']).where('company_id', '=', company).execute(),
  preview: ({ name, description, seasons, residentCents = 0, otherCents = 0, chargedBy = 'hour', addons = [] }) => ({
    title: name,
    text: description,
    details: [
      chargedBy === 'hour'
        ? say`${formatCents(residentCents)} an hour for residents, ${formatCents(otherCents)} for others`
        : say`${formatCents(residentCents)} a day for residents, ${formatCents(otherCents)} for others`,
      say`${plural(seasons.length, '# season', '# seasons')}`,
      ...(addons.length > 0 ? [say`${plural(addons.length, '# add-on', '# add-ons')}`] : []),
      say`Draft`,
    ],
  }),
  add: async ({ run }, entry) => {
    const form = { ...usualResource, glAccount: 'RENTALS', ...entry, status: 'draft' } as ResourceForm
    return (await run(addResource, form)).resourceId
  },
})
