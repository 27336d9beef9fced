import { defineStateMachine } from '../../shared/machine.ts'

const permission = ['faqs', 'update'] as const

/** States of an FAQ. A new FAQ is a draft. After publication, residents see it only between its start and end dates. */
export const faqStates = defineStateMachine('faq', {
  states: {
    draft: { label: 'Draft', kind: 'attention', open: true },
    published: { label: 'Published', kind: 'good' },
  },
  steps: {
    write: { from: [], to: 'draft', by: ['staff'], audit: 'faq.written' },
    publish: {
      from: ['draft'],
      to: 'published',
      by: ['staff'],
      permission,
      label: 'Publish',
      done: 'was published.',
      audit: 'faq.published',
    },
    withdraw: {
      from: ['published'],
      to: 'draft',
      by: ['staff'],
      permission,
      label: 'Unpublish',
      done: 'is a draft again. Residents can no longer see it.',
      audit: 'faq.withdrawn',
    },
  },
})
