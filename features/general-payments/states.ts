import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['general_payments', 'update'] as const

/** States of a payment type: draft, open or closed. Closing a type keeps its payments. */
export const paymentTypeStates = defineStateMachine('payment_type', {
  states: {
    draft: { label: 'Draft', kind: 'attention' },
    open: { label: 'Open', kind: 'good', open: true },
    closed: { label: 'Closed', kind: 'neutral' },
  },
  steps: {
    create: { from: [], to: 'draft', by: ['staff'], audit: 'general.created' },
    open: {
      from: ['draft', 'closed'],
      to: 'open',
      by: ['staff'],
      permission,
      label: 'Open for payment',
      done: 'can be paid now.',
      audit: 'general.opened',
    },
    close: {
      from: ['open'],
      to: 'closed',
      by: ['staff'],
      permission,
      label: 'Close',
      confirm:
        'No one will be able to make this type of payment until you open it again. Unpaid amounts will remain due.',
      done: 'is now closed. No one can pay it until you open it again.',
      audit: 'general.closed',
    },
  },
})
export type PaymentTypeState = StateOf<typeof paymentTypeStates>
