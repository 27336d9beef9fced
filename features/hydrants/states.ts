import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['communication_management', 'update'] as const

/** Service states of a hydrant. The inspection status is separate and follows from dates only. */
export const hydrantStates = defineStateMachine('hydrant', {
  states: {
    in_service: { label: 'In service', kind: 'good', open: true },
    out_of_service: { label: 'Out of service', kind: 'bad', open: true },
    retired: { label: 'Retired', kind: 'neutral' },
  },
  steps: {
    add: { from: [], to: 'in_service', by: ['staff'], audit: 'hydrant.added' },
    take_out: {
      from: ['in_service'],
      to: 'out_of_service',
      by: ['staff'],
      right,
      reason: true,
      label: 'Take out of service',
      audit: 'hydrant.taken_out',
    },
    put_back: {
      from: ['out_of_service'],
      to: 'in_service',
      by: ['staff'],
      right,
      label: 'Return to service',
      audit: 'hydrant.put_back',
    },
    retire: {
      from: ['in_service', 'out_of_service'],
      to: 'retired',
      by: ['staff'],
      right,
      reason: true,
      label: 'Retire',
      done: 'is retired. It stays in the list, but no inspection is due.',
      audit: 'hydrant.retired',
    },
    restore: {
      from: ['retired'],
      to: 'in_service',
      by: ['staff'],
      right,
      label: 'Restore',
      audit: 'hydrant.restored',
    },
  },
})
export type HydrantService = StateOf<typeof hydrantStates>
