import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { formFiles } from './contract.ts'
import { assignFormCall } from './server/assign-form.ts'
import {
  changeFormStatusCall,
  createFormCall,
  downloadFormCall,
  previewFormCall,
  removeFormCall,
  replaceFormFileCall,
  saveFormCall,
} from './server/change-forms.ts'
import { formCompaniesCalls } from './server/list-companies.ts'
import { questionSourcesCall, saveFormQuestionsCall } from './server/questions.ts'
import { formLists, showFormCall } from './server/list-forms.ts'

export const formLibrary: Feature = {
  calls: [
    ...formLists,
    ...formCompaniesCalls,
    ...partCalls(formFiles),
    ...[showFormCall, createFormCall, replaceFormFileCall, saveFormCall],
    ...[questionSourcesCall, saveFormQuestionsCall],
    ...[changeFormStatusCall, removeFormCall, downloadFormCall, previewFormCall, assignFormCall],
  ],
  demo: () => import('./demo.ts'),
}
