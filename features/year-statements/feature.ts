import { declaredServices } from '../../server/findable.ts'
import type { Feature } from '../../server/feature.ts'
import { PAID_IN_YEAR } from './rules.ts'
import { paidInYearCalls } from './server/paid-in-year.ts'

export const yearStatements: Feature = {
  calls: paidInYearCalls,
  findable: [
    declaredServices([
      {
        title: 'Annual payment statement',
        text: 'A statement of your payments, for your taxes.',
        alternatives: ['tax statement', 'what did I pay last year', 'payments for my tax return', 'annual statement'],
        path: PAID_IN_YEAR,
      },
    ]),
  ],
}
