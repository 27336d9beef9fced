import type { Feature } from '../../server/feature.ts'
import { findAssetsCall } from './server/assets.ts'
import { returnCrewCall, saveCrewCall } from './server/crews.ts'
import { bulkCalls } from './server/bulk.ts'
import { crewLists, orderLists, planLists, templateLists } from './server/lists.ts'
import { orderFiguresCall } from './server/figures.ts'
import { definePlanJobs } from './server/open-planned.ts'
import { photoCalls } from './server/photos.ts'
import { copyPlanCall } from './server/copy-plan.ts'
import { previewPlanCall, returnPlanCall, savePlanCall } from './server/plans.ts'
import { printOrderCall, printOrdersCall } from './server/print-order.ts'
import { openOrderCall, saveOrderCall } from './server/save-order.ts'
import { showOrderCall } from './server/show-order.ts'
import { copyTemplateCall, returnTemplateCall, saveTemplateCall, templateChoicesCall } from './server/templates.ts'
import { workChoicesCall } from './server/staff.ts'
import {
  addCostCall,
  addTaskCall,
  changeOrderStatusCall,
  scheduleOrderCall,
  voidCostCall,
  tickTaskCall,
  workEventsCall,
} from './server/work.ts'
import './server/in-field.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { orderStates } from './states.ts'
import './server/import-orders.ts'
import { planPack } from './server/pack.ts'
import { planContent } from './server/content.ts'
import { orderLookup } from './server/lookup.ts'

export const workOrdersFeature: Feature = {
  module: 'work_orders',
  lookups: [orderLookup],
  openRecords: { table: 'work_order', column: 'status', states: openStatesOf(orderStates) },
  calls: [
    ...orderLists,
    ...planLists,
    ...crewLists,
    showOrderCall,
    openOrderCall,
    saveOrderCall,
    changeOrderStatusCall,
    ...bulkCalls,
    scheduleOrderCall,
    addTaskCall,
    tickTaskCall,
    addCostCall,
    voidCostCall,
    ...photoCalls,
    printOrderCall,
    printOrdersCall,
    workChoicesCall,
    findAssetsCall,
    orderFiguresCall,
    workEventsCall,
    returnPlanCall,
    savePlanCall,
    copyPlanCall,
    previewPlanCall,
    returnCrewCall,
    saveCrewCall,
    ...templateLists,
    returnTemplateCall,
    templateChoicesCall,
    saveTemplateCall,
    copyTemplateCall,
  ],
  jobs: definePlanJobs,
  packs: [planPack],
  contents: [planContent],
  demo: () => import('./demo.ts'),
}
