import { reload } from '../../../web/query.ts'
import { reconcileDay, showException, showPayout } from '../contract.ts'
import { bankLines, exceptions, payouts } from '../list.ts'

/** Reloads all data that shows matches, decisions or closed days. */
export const refreshReconciliation = () =>
  Promise.all([reconcileDay, showException, showPayout, bankLines.call, exceptions.call, payouts.call].map(reload))
