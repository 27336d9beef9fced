/** What the servers of other features use of this one. */
export { scheduledFor } from './server/of-subject.ts'
export { defineInspectionSubject } from './server/subjects.ts'
