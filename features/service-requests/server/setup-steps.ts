import { sql } from 'kysely'
import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 5

export const requestSteps = [
  defineCountedStep({
    ...{ key: 'categories', title: 'Request categories', isRequired: true, area: 'requests' },
    ...{ modules: ['requests'], path: '/municipality/manage/customer-communication/categories' },
    pack: 'request-categories',
    table: 'request_category',
    ready: sql`is_active = 1 AND department_id IS NOT NULL AND target_days > 0`,
    needed: NEEDED,
    detail: (count) => say`${count} of ${NEEDED} categories are active with a department and target days.`,
  }),
]
