import { defineStates, type StateOf } from '../../shared/machine.ts'

const right = ['manage_other_payments', 'update'] as const

/** Where a certificate of insurance stands. The one that was sent last counts. */
export const certificateStates = defineStates('rental_certificate', {
  states: {
    sent: { label: 'To be looked at', kind: 'waiting', open: true },
    accepted: { label: 'Accepted', kind: 'good' },
    refused: { label: 'Another one is needed', kind: 'attention', open: true },
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
    refuse: {
      from: ['sent', 'accepted'],
      to: 'refused',
      by: ['staff'],
      right,
      reason: true,
      label: 'Ask for another one',
      audit: 'rental.certificate_refused',
    },
    replace: {
      from: ['sent', 'accepted', 'refused'],
      to: 'replaced',
      by: ['requester', 'staff'],
      right,
      audit: 'rental.certificate_replaced',
    },
  },
})
export type CertificateStatus = StateOf<typeof certificateStates>
