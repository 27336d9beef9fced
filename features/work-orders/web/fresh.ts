import type { AnswerOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { returnOrder, returnPlan } from '../contract.ts'
import { workOrders, workPlans } from '../list.ts'

export type OrderDetails = AnswerOf<typeof returnOrder>

/** What is on show of work orders, once one changed. */
export const reloadOrders = (): Promise<unknown> =>
  Promise.all([workOrders.call, workPlans.call, returnOrder, returnPlan].map((endpoint) => reload(endpoint as never)))
