import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['parking', 'update'] as const

/**
 * State machine of a parking ticket (product rules, section 6). In addition to those rules, a paid ticket reopens if
 * its payment is refunded or returned by the bank.
 */
export const ticketStates = defineStateMachine('parking_ticket', {
  states: {
    open: { label: 'Open', kind: 'attention', open: true },
    paid: { label: 'Paid', kind: 'good' },
    contested: { label: 'Contested', kind: 'waiting', open: true },
    void: { label: 'Void', kind: 'neutral' },
    warning: { label: 'Warning', kind: 'neutral' },
  },
  steps: {
    issue: { from: [], to: 'open', by: ['staff'], audit: 'parking.issued' },
    warn: { from: [], to: 'warning', by: ['staff'], audit: 'parking.warned' },
    contest: { from: ['open'], to: 'contested', by: ['requester', 'staff'], permission, audit: 'parking.contested' },
    uphold: {
      from: ['contested'],
      to: 'open',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Uphold ticket',
      done: 'was upheld. It must be paid by its new due date.',
      audit: 'parking.upheld',
    },
    dismiss: {
      from: ['contested'],
      to: 'void',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Dismiss ticket',
      done: 'was dismissed. No payment is due.',
      audit: 'parking.dismissed',
    },
    void: {
      from: ['open'],
      to: 'void',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Void',
      audit: 'parking.voided',
    },
    pay: { from: ['open'], to: 'paid', by: ['system'], audit: 'parking.paid' },
    reverse: { from: ['paid'], to: 'open', by: ['system'], audit: 'parking.payment_reversed' },
  },
})
export type TicketStatus = StateOf<typeof ticketStates>
