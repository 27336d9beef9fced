import { partCalls } from '../../../server/attachments/parts.ts'
import type { Implemented } from '../../../server/call.ts'
import { formFiles } from '../contract.ts'
import { assignFormCall, formCompaniesCall } from './assign-form.ts'
import {
  changeFormStatusCall,
  createFormCall,
  downloadFormCall,
  previewFormCall,
  removeFormCall,
  replaceFormFileCall,
  saveFormCall,
} from './change-forms.ts'
import { formsCsvCall, listFormsCall, showFormCall } from './list-forms.ts'

export const calls: Implemented[] = [
  ...[listFormsCall, formsCsvCall, showFormCall, createFormCall, replaceFormFileCall, saveFormCall],
  ...partCalls(formFiles),
  ...[changeFormStatusCall, removeFormCall, downloadFormCall, previewFormCall, formCompaniesCall, assignFormCall],
]
