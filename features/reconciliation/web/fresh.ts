import { reload } from '../../../web/query.ts'
import { reconcileDay, showException, showPayout } from '../contract.ts'
import { bankLines, exceptions, payouts } from '../list.ts'

/** What is matched, explained or closed shows on all of these. */
export const renewReconciliation = () =>
  Promise.all([reconcileDay, showException, showPayout, bankLines.call, exceptions.call, payouts.call].map(reload))
