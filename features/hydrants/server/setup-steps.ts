import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const hydrantSteps = [
  defineCountedStep({
    ...{ key: 'hydrants', title: 'Hydrants', isRequired: false, area: 'hydrants' },
    ...{ modules: ['hydrants'], path: '/municipality/first-responder' },
    table: 'hydrant',
    needed: 1,
    detail: () => say`Import or record the hydrants.`,
  }),
]
