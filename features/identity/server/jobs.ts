import type { AppContext } from '../../../server/app-context.ts'
import { emailResetLink, RESET_JOB } from './reset-password.ts'

export function defineIdentityJobs(context: AppContext): void {
  context.jobs.define(RESET_JOB, (input: Parameters<typeof emailResetLink>[1]) => emailResetLink(context, input))
}
