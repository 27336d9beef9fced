import type { ResponseOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { returnCrew, returnOrder, returnPlan, returnTemplate, templateChoices, workChoices } from '../contract.ts'
import { workCrews, workOrders, workPlans, workTemplates } from '../list.ts'

export type OrderDetails = ResponseOf<typeof returnOrder>

/** Reloads the views of work orders after a change. */
export const reloadOrders = (): Promise<unknown> =>
  Promise.all(
    [
      ...[workOrders.call, workPlans.call, workCrews.call, workTemplates.call],
      ...[returnOrder, returnPlan, returnCrew, returnTemplate, workChoices, templateChoices],
    ].map((endpoint) => reload(endpoint as never)),
  )
