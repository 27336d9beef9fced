import type { Implemented } from '../../../server/call.ts'
import { assignFormCall } from './assign-form.ts'
import {
  changeFormStatusCall,
  createFormCall,
  downloadFormCall,
  removeFormCall,
  replaceFormFileCall,
  saveFormCall,
} from './change-forms.ts'
import { formCompaniesCalls } from './list-companies.ts'
import { formLists, showFormCall } from './list-forms.ts'

export const calls: Implemented[] = [
  ...formLists,
  ...formCompaniesCalls,
  ...[showFormCall, createFormCall, replaceFormFileCall, saveFormCall],
  ...[changeFormStatusCall, removeFormCall, downloadFormCall, assignFormCall],
]
