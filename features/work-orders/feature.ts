import type { Feature } from '../../server/feature.ts'
import { findAssetsCall } from './server/assets.ts'
import { returnCrewCall, saveCrewCall } from './server/crews.ts'
import { crewLists, orderLists, planLists } from './server/lists.ts'
import { orderFiguresCall } from './server/figures.ts'
import { definePlanJobs } from './server/open-planned.ts'
import { photoCalls } from './server/photos.ts'
import { previewPlanCall, returnPlanCall, savePlanCall } from './server/plans.ts'
import { printOrderCall } from './server/print-order.ts'
import { openOrderCall, saveOrderCall } from './server/save-order.ts'
import { showOrderCall } from './server/show-order.ts'
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
import { planPack } from './server/pack.ts'

export const workOrdersFeature: Feature = {
  calls: [
    ...orderLists,
    ...planLists,
    ...crewLists,
    showOrderCall,
    openOrderCall,
    saveOrderCall,
    changeOrderStatusCall,
    scheduleOrderCall,
    addTaskCall,
    tickTaskCall,
    addCostCall,
    voidCostCall,
    ...photoCalls,
    printOrderCall,
    workChoicesCall,
    findAssetsCall,
    orderFiguresCall,
    workEventsCall,
    returnPlanCall,
    savePlanCall,
    previewPlanCall,
    returnCrewCall,
    saveCrewCall,
  ],
  jobs: definePlanJobs,
  packs: [planPack],
  demo: () => import('./demo.ts'),
}
