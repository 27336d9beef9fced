import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const right = ['manage_other_payments', 'update'] as const

/** States of a certificate of insurance. The latest one counts. */
export const certificateStates = defineStateMachine('rental_certificate', {
  states: {
    sent: { label: 'To be looked at', kind: 'waiting', open: true },
    accepted: { label: 'Accepted', kind: 'good' },
    replacement_needed: { label: 'Another one is needed', kind: 'attention', open: true },
    replaced: { label: 'Replaced', kind: 'neutral' },
  },
  steps: {
    send: { from: [], to: 'sent', by: ['requester', 'staff'], right, audit: 'rental.certificate_sent' },
    accept: {
      from: ['sent'],
      to: 'accepted',
      by: ['staff'],
      right,
      label: 'Accept the certificate',
      audit: 'rental.certificate_accepted',
    },
    request_replacement: {
      from: ['sent', 'accepted'],
      to: 'replacement_needed',
      by: ['staff'],
      right,
      reason: true,
      label: 'Ask for another one',
      audit: 'rental.certificate_replacement_requested',
    },
    replace: {
      from: ['sent', 'accepted', 'replacement_needed'],
      to: 'replaced',
      by: ['requester', 'staff'],
      right,
      audit: 'rental.certificate_replaced',
    },
  },
})
export type CertificateStatus = StateOf<typeof certificateStates>
