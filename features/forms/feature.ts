import { callsOfCase } from '../../server/cases/calls.ts'
import type { Feature } from '../../server/feature.ts'
import './server/import-permits.ts'
import { formPost, SAME_PAGE } from '../../server/form-posts.ts'
import { signForm, submissionCase, withdrawForm } from './contract.ts'
import { payFormCall, submissionByLinkCall, withdrawFormCall } from './server/by-link.ts'
import { submissionsCase } from './server/case.ts'
import {
  changeFormTypeCall,
  createFormTypeCall,
  formTypeChoicesCall,
  saveFormTypeCall,
  showFormTypeCall,
} from './server/change-types.ts'
import {
  changeSubmissionCall,
  changeSubmissionsCall,
  staffSubmissionCall,
  submissionLists,
} from './server/staff-calls.ts'
import { copyFormTypeCall } from './server/copy-type.ts'
import { counterCalls } from './server/counter.ts'
import { formFieldCalls } from './server/fields.ts'
import { fileCalls } from './server/files.ts'
import { startFormCall, discardFormCall, formDraftCall, saveFormDraftCall, seeFormChangesCall } from './server/fill.ts'
import { formTypeLists } from './server/list-types.ts'
import {
  findableForms,
  openMySubmissionCall,
  residentFormCall,
  residentFormsCall,
  ongoingSubmissions,
} from './server/mine.ts'
import { defineDocumentJobs } from './server/documents/expire.ts'
import { pdfCalls } from './server/pdf/calls.ts'
import { renderCopies, emailFormCopyCall } from './server/documents/email-copy.ts'
import { printByLinkCall, printSubmissionCall } from './server/documents/print.ts'
import {
  issuedDocumentByLinkCall,
  documentOfSubmissionCall,
  renewIssuedDocumentCall,
  verifyIssuedDocumentCall,
} from './server/documents/verify.ts'
import { zipSubmissionsCall } from './server/documents/zip.ts'
import { sendFormCall } from './server/send.ts'
import { signFormCall, toSignCall } from './server/sign.ts'
import { submissionStatus, TYPED } from './rules.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { submissionStates } from './states.ts'
import { formSteps } from './server/setup-steps.ts'
import { formPack } from './server/pack.ts'
import { formContent } from './server/content.ts'
import { permitLookup, submissionLookup } from './server/lookup.ts'

const SUBMISSION = '/forms-documents/submission/{token}'

export const forms: Feature = {
  module: 'forms',
  lookups: [submissionLookup, permitLookup],
  setup: formSteps,
  openRecords: {
    table: 'form_submission',
    column: 'status',
    states: openStatesOf(submissionStates).filter((status) => status !== submissionStatus.draft),
  },
  calls: [
    ...callsOfCase(submissionsCase),
    residentFormsCall,
    residentFormCall,
    startFormCall,
    formDraftCall,
    saveFormDraftCall,
    seeFormChangesCall,
    sendFormCall,
    discardFormCall,
    openMySubmissionCall,
    submissionByLinkCall,
    withdrawFormCall,
    payFormCall,
    toSignCall,
    signFormCall,
    ...formTypeLists,
    formTypeChoicesCall,
    showFormTypeCall,
    createFormTypeCall,
    saveFormTypeCall,
    copyFormTypeCall,
    changeFormTypeCall,
    ...formFieldCalls,
    ...counterCalls,
    ...submissionLists,
    staffSubmissionCall,
    changeSubmissionCall,
    changeSubmissionsCall,
    ...fileCalls,
    verifyIssuedDocumentCall,
    issuedDocumentByLinkCall,
    documentOfSubmissionCall,
    renewIssuedDocumentCall,
    printByLinkCall,
    emailFormCopyCall,
    printSubmissionCall,
    zipSubmissionsCall,
    ...pdfCalls,
  ],
  formPosts: [
    formPost({ path: SUBMISSION, endpoint: submissionCase.message, next: SAME_PAGE }),
    formPost({ path: SUBMISSION, endpoint: withdrawForm, next: SAME_PAGE }),
    formPost({
      path: '/forms-documents/sign/{token}',
      endpoint: signForm,
      body: ({ token = '', [TYPED]: typed = '', agreed }) => ({
        ...{ token, signature: { typed } },
        agreed: (agreed !== undefined) as true,
      }),
      next: SAME_PAGE,
    }),
  ],
  // Deletes abandoned drafts. Sent submissions stay.
  retention: [
    {
      table: 'form_submission',
      since: 'updated_at',
      days: 180,
      only: `status = ${submissionStatus.draft} AND rounds = 0`,
    },
  ],
  findable: [findableForms],
  ongoingItems: [ongoingSubmissions],
  awaitingStaff: [
    {
      label: 'Forms to review',
      to: `/municipality/reports/forms-and-docs?status=${submissionStatus.pendingReview}`,
      policy: 'submissions',
      table: 'form_submission',
      status: submissionStatus.pendingReview,
    },
  ],
  packs: [formPack],
  contents: [formContent],
  demo: () => import('./demo.ts'),
  jobs: (context) => {
    defineDocumentJobs(context)
    renderCopies(context)
  },
}
