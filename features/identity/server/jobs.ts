import type { House } from '../../../server/house.ts'
import { mailResetLink, RESET_JOB } from './reset-password.ts'

export function defineIdentityJobs(house: House): void {
  house.jobs.define(RESET_JOB, (asked: Parameters<typeof mailResetLink>[1]) => mailResetLink(house, asked))
}
