/** Server functions for other features. */
export { scheduledFor } from './server/of-subject.ts'
export { defineInspectionSubject } from './server/subjects.ts'
