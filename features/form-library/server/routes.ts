import { partCalls } from '../../../server/attachments/parts.ts'
import type { Implemented } from '../../../server/call.ts'
import { formFiles } from '../contract.ts'
import { assignFormCall } from './assign-form.ts'
import {
  changeFormStatusCall,
  createFormCall,
  downloadFormCall,
  previewFormCall,
  removeFormCall,
  replaceFormFileCall,
  saveFormCall,
} from './change-forms.ts'
import { formCompaniesCalls } from './list-companies.ts'
import { formLists, showFormCall } from './list-forms.ts'

export const calls: Implemented[] = [
  ...formLists,
  ...formCompaniesCalls,
  ...partCalls(formFiles),
  ...[showFormCall, createFormCall, replaceFormFileCall, saveFormCall],
  ...[changeFormStatusCall, removeFormCall, downloadFormCall, previewFormCall, assignFormCall],
]
