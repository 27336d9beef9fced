import { declaredServices } from '../../../server/findable.ts'
import { OWN_PATH } from '../rules.ts'

/** Search entries for the kinds of registration, in the words of residents. */
export const findableRegistrations = declaredServices([
  {
    title: 'Register your household',
    says: 'The people and pets at home, what they need in an emergency, and emergency alerts.',
    alternatives: ['Register my home', 'Register my family', 'Tell who lives here', 'Special needs in an emergency'],
    path: `${OWN_PATH}?new=1`,
  },
  {
    title: 'Register a business',
    says: 'Ownership, hours, license, alarm permit, and who is called at night.',
    alternatives: [
      'Register my company',
      'Business registration',
      'Register a shop',
      'Emergency contact of a business',
    ],
    path: `${OWN_PATH}?new=2`,
  },
  {
    title: 'Register a rental property',
    says: 'Owner and manager, units and tenants, and the inspections that are due.',
    alternatives: ['Landlord registration', 'Rental registration', 'Register an apartment that is rented out'],
    path: `${OWN_PATH}?new=3`,
  },
])
