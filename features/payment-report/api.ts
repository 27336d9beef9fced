/** Server functions for other features. */
export { DISPUTE_STATE, IS_DECLINED, OF_DISPUTES, reasonOf } from './server/problem-payments.ts'
