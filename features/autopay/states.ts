import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['payments', 'update'] as const

/** States of an AutoPay enrollment. Each charge also has its own state, which the AutoPay run sets. */
export const autopayStates = defineStateMachine('autopay', {
  states: {
    active: { label: 'On', kind: 'good', open: true },
    paused: { label: 'Paused', kind: 'waiting', open: true },
    ended: { label: 'Ended', kind: 'undone' },
    removed: { label: 'Removed', kind: 'bad' },
  },
  steps: {
    enroll: { from: [], to: 'active', by: ['requester'], audit: 'autopay.enrolled' },
    pause: {
      from: ['active'],
      to: 'paused',
      by: ['requester'],
      label: 'Pause AutoPay',
      done: 'is paused. Nothing will be charged until you resume it.',
      audit: 'autopay.paused',
    },
    resume: {
      from: ['paused'],
      to: 'active',
      by: ['requester'],
      label: 'Resume AutoPay',
      done: 'is on again.',
      audit: 'autopay.resumed',
    },
    end: {
      from: ['active', 'paused'],
      to: 'ended',
      by: ['requester', 'system'],
      label: 'End AutoPay',
      confirm:
        'After AutoPay ends, nothing will be charged automatically, and you will need to pay your bills yourself. To use AutoPay again, you must agree to the authorization again.',
      done: 'has ended. From now on, you will need to pay your bills yourself.',
      audit: 'autopay.ended',
    },
    halt: {
      from: ['active'],
      to: 'paused',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Pause AutoPay',
      done: 'is paused. We notified the resident, who can resume it.',
      audit: 'autopay.halted',
    },
    stop: {
      from: ['active', 'paused'],
      to: 'ended',
      by: ['staff'],
      permission,
      reason: true,
      label: 'End AutoPay',
      done: 'has ended. We notified the resident.',
      audit: 'autopay.stopped',
    },
    remove: { from: ['active', 'paused'], to: 'removed', by: ['system'], audit: 'autopay.removed' },
  },
})
export type AutopayState = StateOf<typeof autopayStates>
