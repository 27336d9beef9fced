import type { Feature } from '../../server/feature.ts'
import { formPost, SAME_PAGE } from '../../server/form-posts.ts'
import { cancelRequest, changeFollowing, requestCase, sendRequest, submitFeedback } from './contract.ts'
import { bodyOfReport } from './server/plain-report.ts'
import { callsOfCase } from '../../server/cases/calls.ts'
import { ongoingCases } from '../../server/cases/mine.ts'
import { cancelRequestCall, submitFeedbackCall, repairPhotoCall, requestByLinkCall } from './server/by-link.ts'
import { requests } from './server/case.ts'
import { categoryFieldsCall, publishCategoryFieldsCall, saveCategoryFieldsCall } from './server/category-fields.ts'
import { copyCategoryCall } from './server/copy-category.ts'
import { choicesCall, questionsCall } from './server/choices.ts'
import { staffCalls } from './server/staff-calls.ts'
import { findableCategories } from './server/findable.ts'
import { changeFollowingCall, followedRequestCall, followRequestCall } from './server/follow.ts'
import { defineRequestJobs } from './server/late.ts'
import { myRequestsCall, openMyRequestCall } from './server/mine.ts'
import { nearCall } from './server/near.ts'
import { publicRequestsCall } from './server/reported.ts'
import { verifyRequests } from './server/request-sums.ts'
import { categoryChoicesCall, categoryLists, saveCategoryCall } from './server/save-category.ts'
import { sendRequestCall } from './server/send-request.ts'
import { saveSettingsCall, settingsCall } from './server/settings.ts'
import { openRequests, requestStatus } from './rules.ts'
import { requestSteps } from './server/setup-steps.ts'
import './server/import-requests.ts'
import './server/import-categories.ts'
import { categoryPack, savedReplyPack } from './server/packs.ts'
import { categoryContent } from './server/content.ts'
import { requestLookup } from './server/lookup.ts'

const REQUEST = '/communication/request/{token}'

export const serviceRequests: Feature = {
  module: 'requests',
  lookups: [requestLookup],
  openRecords: { table: 'service_request', column: 'status', states: openRequests },
  setup: requestSteps,
  calls: [
    ...callsOfCase(requests),
    choicesCall,
    questionsCall,
    nearCall,
    sendRequestCall,
    followRequestCall,
    followedRequestCall,
    changeFollowingCall,
    myRequestsCall,
    openMyRequestCall,
    requestByLinkCall,
    repairPhotoCall,
    cancelRequestCall,
    submitFeedbackCall,
    publicRequestsCall,
    ...categoryLists,
    categoryChoicesCall,
    saveCategoryCall,
    copyCategoryCall,
    categoryFieldsCall,
    saveCategoryFieldsCall,
    publishCategoryFieldsCall,
    settingsCall,
    saveSettingsCall,
    ...staffCalls,
  ],
  awaitingStaff: [
    {
      label: 'Requests to start',
      to: `/municipality/manage/customer-communication?status=${requestStatus.new}`,
      policy: 'requests',
      table: 'service_request',
      status: requestStatus.new,
    },
  ],
  findable: [findableCategories],
  ongoingItems: [ongoingCases(requests)],
  formPosts: [
    formPost({
      path: '/communication/new',
      endpoint: sendRequest,
      body: bodyOfReport,
      next: ({ token }) => `/communication/request/${token}`,
    }),
    formPost({ path: REQUEST, endpoint: requestCase.message, next: SAME_PAGE }),
    formPost({
      path: REQUEST,
      endpoint: submitFeedback,
      body: ({ token = '', text = '', isFixed }) => ({ token, text, isFixed: isFixed === 'yes' }),
      next: SAME_PAGE,
    }),
    formPost({ path: REQUEST, endpoint: cancelRequest, next: SAME_PAGE }),
    formPost({
      path: '/communication/followed/{token}',
      endpoint: changeFollowing,
      body: ({ token = '', follow }) => ({ token, follow: follow === 'yes' }),
      next: SAME_PAGE,
    }),
  ],
  jobs: defineRequestJobs,
  verify: verifyRequests,
  packs: [categoryPack, savedReplyPack],
  contents: [categoryContent],
  demo: () => import('./demo.ts'),
}
