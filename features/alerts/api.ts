/** Server functions for other features. */
export { deleteAlertChoices, readServices, storeServices } from './server/services.ts'
