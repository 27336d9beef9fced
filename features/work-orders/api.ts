/** Server functions for other features. */
export { defineWorkOrderAsset } from './server/assets.ts'
export { openOrder, openWorkOrder } from './server/open-work-order.ts'
export {
  linkOrder,
  openOrdersNear,
  orderNumbered,
  openOrdersOf,
  ordersOf,
  ordersOfItems,
  ordersOn,
  rescheduleOrdersOf,
} from './server/orders-of.ts'
export { workOrderStateStore } from './server/orders.ts'
export { photosOfRepair } from './server/photos.ts'
export { defineWorkOrderSource, type OrderTransition } from './server/source.ts'
export { crewsInUse, expectAtWork } from './server/staff.ts'
