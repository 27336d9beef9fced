import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const take = ['utility_management', 'create'] as const

/** States of a billing file. Files from staff are previewed first. Files from programs are imported immediately. */
export const billingFileStates = defineStateMachine('billing_file', {
  states: {
    rehearsing: { label: 'Being rehearsed', kind: 'waiting' },
    rehearsed: { label: 'Rehearsed', kind: 'attention', open: true },
    taking: { label: 'Being taken over', kind: 'waiting' },
    taken: { label: 'Taken over', kind: 'good' },
    refused: { label: 'Refused', kind: 'bad' },
    discarded: { label: 'Discarded', kind: 'neutral' },
  },
  steps: {
    upload: { from: [], to: 'rehearsing', by: ['staff'], right: take, audit: 'billing.uploaded' },
    receive: { from: [], to: 'taking', by: ['system'], audit: 'billing.received' },
    rehearse: { from: ['rehearsing'], to: 'rehearsed', by: ['system'], audit: 'billing.previewed' },
    take: {
      from: ['rehearsed'],
      to: 'taking',
      by: ['staff'],
      right: take,
      label: 'Take it over',
      done: 'is being taken over.',
      audit: 'billing.imported',
    },
    discard: {
      from: ['rehearsed'],
      to: 'discarded',
      by: ['staff'],
      right: take,
      label: 'Discard it',
      confirm: 'Nothing of this file is imported. To import it later, send it again.',
      done: 'is discarded. Nothing of it was taken over.',
      audit: 'billing.discarded',
    },
    finish: { from: ['taking'], to: 'taken', by: ['system'], audit: 'bills.imported' },
    differ: { from: ['taking'], to: 'rehearsed', by: ['system'], audit: 'billing.differed' },
    refuse: { from: ['rehearsing', 'taking'], to: 'refused', by: ['system'], audit: 'billing.refused' },
  },
})
export type BillingFileState = StateOf<typeof billingFileStates>
