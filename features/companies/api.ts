/** Server functions for other features. */
export { checkCompanyForm, refusingTakenNames, takenNames } from './server/create-company.ts'
export { documentPdf } from './server/document-pdf.ts'
export { parseText } from './server/document-text.ts'
export { safeHtml } from './server/site-message.ts'
