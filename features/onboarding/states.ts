import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const permission = ['settings', 'update'] as const

/**
 * State machine of a company's onboarding with a payment provider. In spec 4.6, 'Success' is green and all other status
 * words of a provider are red. The provider's status changes the state. Platform staff put the onboarding on hold and
 * release it.
 */
export const onboardingStates = defineStateMachine('provider_onboarding', {
  states: {
    not_started: { label: 'Not started', kind: 'bad', open: true },
    in_progress: { label: 'In progress', kind: 'bad', open: true },
    missing: { label: 'Information missing', kind: 'bad', open: true },
    in_review: { label: 'In review', kind: 'bad', open: true },
    on_hold: { label: 'On hold by the provider', kind: 'bad', open: true },
    held: { label: 'On hold by the platform', kind: 'bad', open: true },
    ready: { label: 'Success', kind: 'good' },
  },
  steps: {
    enter: { from: [], to: 'not_started', by: ['system'], audit: 'onboarding.entered' },
    open: {
      from: ['not_started', 'missing', 'in_review', 'on_hold', 'ready'],
      to: 'in_progress',
      by: ['system'],
      audit: 'onboarding.started',
    },
    require_info: {
      from: ['not_started', 'in_progress', 'in_review', 'on_hold', 'ready'],
      to: 'missing',
      by: ['system'],
      audit: 'onboarding.info_required',
    },
    review: {
      from: ['not_started', 'in_progress', 'missing', 'on_hold', 'ready'],
      to: 'in_review',
      by: ['system'],
      audit: 'onboarding.reviewed',
    },
    pass: {
      from: ['not_started', 'in_progress', 'missing', 'in_review', 'on_hold'],
      to: 'ready',
      by: ['system'],
      audit: 'onboarding.ready',
    },
    stop: {
      from: ['not_started', 'in_progress', 'missing', 'in_review', 'ready'],
      to: 'on_hold',
      by: ['system'],
      audit: 'onboarding.stopped',
    },
    hold: {
      from: ['not_started', 'in_progress', 'missing', 'in_review', 'on_hold', 'ready'],
      to: 'held',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Put on hold',
      done: 'is now on hold. New payments through this provider are disabled.',
      audit: 'onboarding.held',
    },
    resume: {
      from: ['held'],
      to: ['not_started', 'in_progress', 'missing', 'in_review', 'on_hold', 'ready'],
      by: ['staff'],
      permission,
      reason: true,
      label: 'Resume',
      done: 'has resumed.',
      audit: 'onboarding.resumed',
    },
  },
})
export type OnboardingStatus = StateOf<typeof onboardingStates>

/** State machine of an onboarding document. Only the document that was sent last counts. */
export const documentStates = defineStateMachine('onboarding_document', {
  states: {
    sent: { label: 'Pending review', kind: 'waiting', open: true },
    accepted: { label: 'Accepted', kind: 'good' },
    replacement_needed: { label: 'Replacement needed', kind: 'attention', open: true },
    replaced: { label: 'Replaced', kind: 'neutral' },
  },
  steps: {
    send: { from: [], to: 'sent', by: ['staff'], permission, audit: 'onboarding.document_sent' },
    accept: {
      from: ['sent'],
      to: 'accepted',
      by: ['staff'],
      permission,
      label: 'Accept',
      done: 'was accepted.',
      confirm: 'The municipality will see that this document was accepted.',
      audit: 'onboarding.document_accepted',
    },
    request_replacement: {
      from: ['sent', 'accepted'],
      to: 'replacement_needed',
      by: ['staff'],
      permission,
      reason: true,
      label: 'Request a replacement',
      done: 'must be replaced. The municipality can read your reason.',
      audit: 'onboarding.document_replacement_requested',
    },
    replace: {
      from: ['sent', 'accepted', 'replacement_needed'],
      to: 'replaced',
      by: ['staff'],
      permission,
      audit: 'onboarding.document_replaced',
    },
  },
})
export type DocumentStatus = StateOf<typeof documentStates>
