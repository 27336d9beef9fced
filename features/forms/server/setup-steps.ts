import { sql } from 'kysely'
import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const formSteps = [
  defineCountedStep({
    ...{ key: 'forms', title: 'Forms', isRequired: true, area: 'forms' },
    ...{ modules: ['forms'], path: '/municipality/manage/manage-forms-and-docs' },
    pack: 'forms',
    table: 'form_type',
    ready: sql`status = 'published'`,
    needed: 1,
    detail: () => say`Publish a form.`,
  }),
]
