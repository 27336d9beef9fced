import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['rentals', 'update'] as const

/** States of a certificate of insurance. Only the latest certificate of a reservation counts. */
export const certificateStates = defineStateMachine('rental_certificate', {
  states: {
    sent: { label: 'Pending review', kind: 'waiting', open: true },
    accepted: { label: 'Accepted', kind: 'good' },
    replacement_needed: { label: 'Replacement needed', kind: 'attention', open: true },
    replaced: { label: 'Replaced', kind: 'neutral' },
  },
  steps: {
    send: { from: [], to: 'sent', by: ['requester', 'staff'], permission, audit: 'rental.certificate_sent' },
    accept: {
      from: ['sent'],
      to: 'accepted',
      by: ['staff'],
      permission,
      label: 'Accept',
      audit: 'rental.certificate_accepted',
    },
    request_replacement: {
      from: ['sent', 'accepted'],
      to: 'replacement_needed',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Request a replacement',
      audit: 'rental.certificate_replacement_requested',
    },
    replace: {
      from: ['sent', 'accepted', 'replacement_needed'],
      to: 'replaced',
      by: ['requester', 'staff'],
      permission,
      audit: 'rental.certificate_replaced',
    },
  },
})
export type CertificateStatus = StateOf<typeof certificateStates>
