import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { hydrantFile } from './contract.ts'
import { changeCalls } from './server/change-hydrant.ts'
import { flowTestCalls } from './server/flow-tests.ts'
import { importHydrantsCall } from './server/import-hydrants.ts'
import { flowTestLists, hydrantLists, noteLists } from './server/lists.ts'
import { noteCalls } from './server/premise-notes.ts'
import { documentsCall } from './server/report.ts'
import { atAddressCall, mapCall } from './server/responders.ts'
import { settingsCalls } from './server/settings.ts'
import { showHydrantCall } from './server/show-hydrant.ts'
import { hydrantSteps } from './server/setup-steps.ts'
import './server/in-field.ts'
import { hydrantLookup } from './server/lookup.ts'

export const hydrants: Feature = {
  module: 'hydrants',
  lookups: [hydrantLookup],
  setup: hydrantSteps,
  calls: [
    ...hydrantLists,
    ...flowTestLists,
    ...noteLists,
    showHydrantCall,
    ...changeCalls,
    ...flowTestCalls,
    ...noteCalls,
    mapCall,
    atAddressCall,
    documentsCall,
    importHydrantsCall,
    ...settingsCalls,
    ...partCalls(hydrantFile),
  ],
  // The log of note views stays for seven years, because claims may arise about information that responders had.
  retention: [{ table: 'premise_note_access', since: 'at', days: 7 * 366 }],
  demo: () => import('./demo.ts'),
}
