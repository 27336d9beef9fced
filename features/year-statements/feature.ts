import { declaredServices } from '../../server/findable.ts'
import type { Feature } from '../../server/feature.ts'
import { PAID_IN_YEAR } from './rules.ts'
import { paidInYearCalls } from './server/paid-in-year.ts'

export const yearStatements: Feature = {
  calls: paidInYearCalls,
  findable: [
    declaredServices([
      {
        title: 'What you paid in a year',
        says: 'A statement of your payments, for your tax papers.',
        alternatives: ['tax statement', 'what did I pay last year', 'payments for my tax return', 'annual statement'],
        path: PAID_IN_YEAR,
      },
    ]),
  ],
}
