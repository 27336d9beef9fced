import { defineSetupStep } from '../../../server/setup.ts'
import { PREVIEW_STEP, previewSteps } from '../../../server/resident-preview.ts'
import { say, translated } from '../../../shared/messages.ts'
import { previewActs } from '../../../shared/resident-preview.ts'

export const previewSetupSteps = [
  defineSetupStep({
    ...{ key: PREVIEW_STEP, title: 'Preview as a resident', isRequired: true, area: 'settings' },
    path: '/municipality/manage/resident-preview',
    status: async (_tx, { company, choice }) => {
      const steps = previewSteps(company, choice)
      const open = steps.filter(({ isDone }) => !isDone).map(({ name }) => translated(previewActs[name].label))
      if (open.length === 0) return { state: 'done' }
      const detail = say`Open: ${open.join(', ')}.`
      return { state: open.length < steps.length ? 'started' : 'to_do', detail }
    },
  }),
]
