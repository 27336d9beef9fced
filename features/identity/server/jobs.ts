import type { AppContext } from '../../../server/app-context.ts'
import { mailResetLink, RESET_JOB } from './reset-password.ts'

export function defineIdentityJobs(context: AppContext): void {
  context.jobs.define(RESET_JOB, (input: Parameters<typeof mailResetLink>[1]) => mailResetLink(context, input))
}
