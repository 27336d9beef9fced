import { declaredServices } from '../../../server/findable.ts'
import { OWN_PATH } from '../rules.ts'

/** Search entries for the kinds of registration, with words that residents use. */
export const findableRegistrations = declaredServices([
  {
    title: 'Register your household',
    text: 'People and pets at home, emergency needs and emergency alerts.',
    alternatives: ['Register my home', 'Register my family', 'Report who lives here', 'Special needs in an emergency'],
    path: `${OWN_PATH}?new=1`,
  },
  {
    title: 'Register a business',
    text: 'Ownership, hours, license, alarm permit and emergency contacts.',
    alternatives: [
      'Register my company',
      'Business registration',
      'Register a shop',
      'Emergency contact for a business',
    ],
    path: `${OWN_PATH}?new=2`,
  },
  {
    title: 'Register a rental property',
    text: 'Owner and manager, units and tenants, and upcoming inspections.',
    alternatives: ['Landlord registration', 'Rental registration', 'Register a rental apartment'],
    path: `${OWN_PATH}?new=3`,
  },
])
