/** Server functions for other features. */
export { inspectionsOf, scheduledFor } from './server/of-subject.ts'
export { defineInspectionSubject } from './server/subjects.ts'
