import { defineStateMachine } from '../../shared/machine.ts'

const right = ['transaction_management', 'create'] as const

/** A clerk's cash drawer: opened and closed with a count of what is in it, and never opened again. */
export const drawerStates = defineStateMachine('drawer', {
  states: {
    open: { label: 'Open', kind: 'waiting', open: true },
    closed: { label: 'Closed', kind: 'good' },
  },
  steps: {
    open: { from: [], to: 'open', by: ['staff'], right, audit: 'counter.opened' },
    close: { from: ['open'], to: 'closed', by: ['staff'], right, audit: 'counter.closed' },
  },
})
