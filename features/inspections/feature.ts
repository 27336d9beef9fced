import type { Feature } from '../../server/feature.ts'
import { certificateCall } from './server/certificate.ts'
import { copyTemplateCall } from './server/copy-template.ts'
import { itemCalls } from './server/items.ts'
import { inspectionLists, templateLists } from './server/lists.ts'
import { photoCalls } from './server/photos.ts'
import { scheduleCalls } from './server/schedule.ts'
import { showInspectionCall } from './server/show-inspection.ts'
import { templateCalls } from './server/templates.ts'
import './server/in-field.ts'
import { openStatesOf } from '../../shared/machine.ts'
import { inspectionStates } from './states.ts'
import { inspectionPack } from './server/pack.ts'
import { templateContent } from './server/content.ts'
import { inspectionLookup } from './server/lookup.ts'

export const inspections: Feature = {
  module: 'inspections',
  lookups: [inspectionLookup],
  openRecords: { table: 'inspection', column: 'status', states: openStatesOf(inspectionStates) },
  calls: [
    ...inspectionLists,
    ...templateLists,
    showInspectionCall,
    ...scheduleCalls,
    ...itemCalls,
    ...photoCalls,
    ...templateCalls,
    copyTemplateCall,
    certificateCall,
  ],
  packs: [inspectionPack],
  contents: [templateContent],
  demo: () => import('./demo.ts'),
}
