/** What the servers of other features use of this one. */
export { deleteAlertChoices, readServices, storeServices } from './server/services.ts'
