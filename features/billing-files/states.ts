import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const take = ['utility_management', 'create'] as const

/** States of a billing file. Files from staff are previewed first. Files from programs are imported immediately. */
export const billingFileStates = defineStateMachine('billing_file', {
  states: {
    previewing: { label: 'Being rehearsed', kind: 'waiting' },
    previewed: { label: 'Rehearsed', kind: 'attention', open: true },
    importing: { label: 'Being taken over', kind: 'waiting' },
    imported: { label: 'Taken over', kind: 'good' },
    refused: { label: 'Refused', kind: 'bad' },
    discarded: { label: 'Discarded', kind: 'neutral' },
  },
  steps: {
    upload: { from: [], to: 'previewing', by: ['staff'], right: take, audit: 'billing.uploaded' },
    receive: { from: [], to: 'importing', by: ['system'], audit: 'billing.received' },
    preview: { from: ['previewing'], to: 'previewed', by: ['system'], audit: 'billing.previewed' },
    import: {
      from: ['previewed'],
      to: 'importing',
      by: ['staff'],
      right: take,
      label: 'Take it over',
      done: 'is being taken over.',
      audit: 'billing.imported',
    },
    discard: {
      from: ['previewed'],
      to: 'discarded',
      by: ['staff'],
      right: take,
      label: 'Discard it',
      confirm: 'Nothing of this file is imported. To import it later, send it again.',
      done: 'is discarded. Nothing of it was taken over.',
      audit: 'billing.discarded',
    },
    finish: { from: ['importing'], to: 'imported', by: ['system'], audit: 'bills.imported' },
    differ: { from: ['importing'], to: 'previewed', by: ['system'], audit: 'billing.differed' },
    refuse: { from: ['previewing', 'importing'], to: 'refused', by: ['system'], audit: 'billing.refused' },
  },
})
export type BillingFileState = StateOf<typeof billingFileStates>
