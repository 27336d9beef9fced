import { sql } from 'kysely'
import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const rentalSteps = [
  defineCountedStep({
    ...{ key: 'resources', title: 'Resources for rent', isRequired: false, area: 'rentals' },
    ...{ modules: ['rentals'], path: '/municipality/manage/manage-resource-rentals' },
    table: 'rental_resource',
    ready: sql`status = 'open'`,
    needed: 1,
    detail: () => say`Open a resource for reservations.`,
  }),
]
