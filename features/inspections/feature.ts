import type { Feature } from '../../server/feature.ts'
import { certificateCall } from './server/certificate.ts'
import { itemCalls } from './server/items.ts'
import { inspectionLists, templateLists } from './server/lists.ts'
import { photoCalls } from './server/photos.ts'
import { scheduleCalls } from './server/schedule.ts'
import { showInspectionCall } from './server/show-inspection.ts'
import { templateCalls } from './server/templates.ts'
import './server/in-field.ts'
import { inspectionPack } from './server/pack.ts'

export const inspections: Feature = {
  calls: [
    ...inspectionLists,
    ...templateLists,
    showInspectionCall,
    ...scheduleCalls,
    ...itemCalls,
    ...photoCalls,
    ...templateCalls,
    certificateCall,
  ],
  packs: [inspectionPack],
  demo: () => import('./demo.ts'),
}
