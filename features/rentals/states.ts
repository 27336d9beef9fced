import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['rentals', 'update'] as const

/**
 * States of a reservation. Reservations in `open` states occupy their time, with two exceptions. A held reservation
 * occupies its time only until the hold ends, and a waitlisted one occupies none.
 */
export const rentalStates = defineStateMachine('rental_reservation', {
  states: {
    waitlisted: { label: 'Waitlisted', kind: 'waiting', open: true },
    requested: { label: 'Requested', kind: 'waiting', open: true },
    held: { label: 'Awaiting payment', kind: 'attention', open: true },
    confirmed: { label: 'Confirmed', kind: 'good', open: true },
    in_use: { label: 'Checked in', kind: 'good', open: true },
    completed: { label: 'Completed', kind: 'neutral' },
    no_show: { label: 'No-show', kind: 'bad' },
    declined: { label: 'Declined', kind: 'bad' },
    expired: { label: 'Expired', kind: 'neutral' },
    cancelled: { label: 'Cancelled', kind: 'neutral' },
  },
  steps: {
    join_waitlist: { from: [], to: 'waitlisted', by: ['requester'], audit: 'rental.waitlisted' },
    offer: {
      from: ['waitlisted'],
      to: ['held', 'requested', 'confirmed'],
      by: ['staff', 'system'],
      permission,
      label: 'Offer the time',
      confirm: 'The renter will be offered the time and will receive an email.',
      done: 'now has the available time. We notified the renter.',
      audit: 'rental.offered',
    },
    leave: {
      from: ['waitlisted'],
      to: 'cancelled',
      by: ['requester', 'staff'],
      permission,
      label: 'Remove from waitlist',
      confirm: 'The renter will lose their place on the waitlist.',
      done: 'is no longer on the waitlist.',
      audit: 'rental.left_waitlist',
    },
    request: { from: [], to: 'requested', by: ['requester'], audit: 'rental.requested' },
    hold: { from: [], to: 'held', by: ['requester', 'staff', 'system'], audit: 'rental.held' },
    book: { from: [], to: 'confirmed', by: ['requester', 'staff', 'system'], audit: 'rental.booked' },
    // Reservations from another system keep their state.
    import: { from: [], to: 'confirmed', by: ['staff'], audit: 'rental.imported' },
    import_requested: { from: [], to: 'requested', by: ['staff'], audit: 'rental.imported' },
    import_held: { from: [], to: 'held', by: ['staff'], audit: 'rental.imported' },
    import_completed: { from: [], to: 'completed', by: ['staff'], audit: 'rental.imported' },
    import_missed: { from: [], to: 'no_show', by: ['staff'], audit: 'rental.imported' },
    import_cancelled: { from: [], to: 'cancelled', by: ['staff'], audit: 'rental.imported' },
    approve: {
      from: ['requested'],
      to: ['held', 'confirmed'],
      by: ['staff'],
      permission,
      label: 'Approve',
      confirm: 'The renter will get an email. If an amount is due, the renter can then pay.',
      done: 'was approved. We notified the renter.',
      audit: 'rental.approved',
    },
    decline: {
      from: ['requested'],
      to: 'declined',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Decline',
      done: 'was declined. We notified the renter.',
      audit: 'rental.declined',
    },
    pay: { from: ['held', 'expired'], to: 'confirmed', by: ['system'], audit: 'rental.paid' },
    expire: { from: ['held', 'requested', 'waitlisted'], to: 'expired', by: ['system'], audit: 'rental.expired' },
    cancel: {
      from: ['requested', 'held', 'confirmed'],
      to: 'cancelled',
      by: ['requester', 'staff'],
      permission,
      label: 'Cancel reservation',
      confirm: 'Others can then reserve this time. The renter will get an email and a full refund of any amount paid.',
      audit: 'rental.cancelled',
    },
    check_in: {
      from: ['confirmed'],
      to: 'in_use',
      by: ['staff'],
      permission,
      label: 'Check in',
      audit: 'rental.checked_in',
    },
    inspect: { from: ['in_use'], to: 'completed', by: ['staff'], permission, audit: 'rental.inspected' },
    miss: {
      from: ['confirmed'],
      to: 'no_show',
      by: ['staff'],
      permission,
      label: 'Mark as no-show',
      confirm: 'The reservation will end. Only the security deposit will be refunded.',
      audit: 'rental.missed',
    },
  },
})
export type RentalStatus = StateOf<typeof rentalStates>
