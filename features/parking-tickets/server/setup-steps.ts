import { sql } from 'kysely'
import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 5

export const parkingSteps = [
  defineCountedStep({
    ...{ key: 'violations', title: 'Violation codes', isRequired: false, area: 'parking' },
    ...{ modules: ['parking'], path: '/municipality/manage/parking-tickets' },
    pack: 'violation-codes',
    table: 'parking_violation',
    ready: sql`is_active = 1`,
    needed: NEEDED,
    detail: (count) => say`${count} of ${NEEDED} codes are active.`,
  }),
]
