/** What the servers of other features use of this one. */
export { DISPUTE_STATE, IS_DECLINED, OF_DISPUTES, reasonOf } from './server/problem-payments.ts'
