/** Server functions for other features. */
export { requests, requestStateStore } from './server/case.ts'
export { activeCategories, type Category, questionsOf } from './server/categories.ts'
export { replyEmail } from './server/emails.ts'
export { enterRequest, nextRequestId, yearOf } from './server/enter-request.ts'
export { onPublicMap, publicAddress } from './server/public-location.ts'
export { OPEN, type Request } from './server/row.ts'
export { settingsOf } from './server/settings.ts'
