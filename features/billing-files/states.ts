import { defineStateMachine, type StateOf } from '../../shared/machine.ts'

const take = ['billing_files', 'create'] as const

/** States of a billing file. Files from staff are previewed first. Files from programs are imported immediately. */
export const billingFileStates = defineStateMachine('billing_file', {
  states: {
    previewing: { label: 'Preparing preview', kind: 'waiting' },
    mapping: { label: 'Columns needed', kind: 'attention', open: true },
    previewed: { label: 'Ready to import', kind: 'attention', open: true },
    importing: { label: 'Importing', kind: 'waiting' },
    imported: { label: 'Imported', kind: 'good' },
    undone: { label: 'Undone', kind: 'undone' },
    refused: { label: 'Rejected', kind: 'bad' },
    discarded: { label: 'Discarded', kind: 'neutral' },
  },
  steps: {
    upload: { from: [], to: 'previewing', by: ['staff'], permission: take, audit: 'billing.uploaded' },
    receive: { from: [], to: 'importing', by: ['system'], audit: 'billing.received' },
    preview: { from: ['previewing'], to: 'previewed', by: ['system'], audit: 'billing.previewed' },
    hold: { from: ['previewing'], to: 'mapping', by: ['system'], audit: 'billing.columns_needed' },
    map: { from: ['mapping'], to: 'previewing', by: ['staff'], permission: take, audit: 'billing.columns_chosen' },
    correct: {
      from: ['previewed'],
      to: 'previewing',
      by: ['staff'],
      permission: take,
      audit: 'billing.lines_corrected',
    },
    import: {
      from: ['previewed'],
      to: 'importing',
      by: ['staff'],
      permission: take,
      label: 'Import',
      done: 'is being imported.',
      audit: 'billing.imported',
    },
    discard: {
      from: ['previewed', 'mapping'],
      to: 'discarded',
      by: ['staff'],
      permission: take,
      label: 'Discard',
      confirm: 'Nothing from this file will be imported. To import it later, upload the file again.',
      done: 'was discarded. Nothing was imported.',
      audit: 'billing.discarded',
    },
    // Staff undo an import with the button of all imports.
    undo: {
      from: ['imported'],
      to: 'undone',
      by: ['staff'],
      permission: take,
      audit: 'billing.undone',
    },
    finish: { from: ['importing'], to: 'imported', by: ['system'], audit: 'bills.imported' },
    differ: { from: ['importing'], to: 'previewed', by: ['system'], audit: 'billing.differed' },
    refuse: { from: ['previewing', 'importing'], to: 'refused', by: ['system'], audit: 'billing.refused' },
  },
})
export type BillingFileState = StateOf<typeof billingFileStates>
