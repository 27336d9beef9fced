import { defineStateMachine } from '../../shared/machine.ts'

const permission = ['counter', 'create'] as const

/** States of a staff member's cash drawer. Staff open and close the drawer with a count, and never reopen it. */
export const drawerStates = defineStateMachine('drawer', {
  states: {
    open: { label: 'Open', kind: 'waiting', open: true },
    closed: { label: 'Closed', kind: 'good' },
  },
  steps: {
    open: { from: [], to: 'open', by: ['staff'], permission, audit: 'counter.opened' },
    close: { from: ['open'], to: 'closed', by: ['staff'], permission, audit: 'counter.closed' },
  },
})
