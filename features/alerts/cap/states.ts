import { defineStates } from '../../../shared/machine.ts'

const right = ['communication_management', 'update'] as const

/** A message of a source is taken over by staff or by itself, or it isn't; what a later one changes needs nobody's look any more. */
export const receivedStates = defineStates('received_alert', {
  states: {
    waiting: { label: 'To be released', kind: 'attention', open: true },
    released: { label: 'Taken over', kind: 'good' },
    dismissed: { label: 'Not taken over', kind: 'neutral' },
    replaced: { label: 'Changed by a later one', kind: 'undone' },
    left_out: { label: 'Left out', kind: 'neutral' },
  },
  steps: {
    receive: { from: [], to: 'waiting', by: ['system'], audit: 'alert_source.received' },
    leave_out: { from: [], to: 'left_out', by: ['system'], audit: 'alert_source.left_out' },
    release: {
      from: ['waiting'],
      to: 'released',
      by: ['staff', 'system'],
      right,
      label: 'Take it over',
      audit: 'alert_source.released',
    },
    dismiss: {
      from: ['waiting'],
      to: 'dismissed',
      by: ['staff'],
      right,
      label: 'Don’t take it over',
      done: 'is not taken over.',
      audit: 'alert_source.dismissed',
    },
    expire: { from: ['waiting'], to: 'left_out', by: ['system'], audit: 'alert_source.left_out' },
    replace: { from: ['waiting'], to: 'replaced', by: ['system'], audit: 'alert_source.replaced' },
  },
})
