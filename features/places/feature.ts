import { partCalls } from '../../server/attachments/parts.ts'
import type { Feature } from '../../server/feature.ts'
import { placeCalls } from '../../server/places/calls.ts'
import { placeFiles } from './contract.ts'
import { parcelCall, parcelsCalls, saveParcelCall } from './server/parcels.ts'
import { importPlacesCall, placeCountsCall, removeCompanyMapCall, saveCompanyMapCall } from './server/company-places.ts'
import { addressSteps } from './server/setup-steps.ts'

export const places: Feature = {
  setup: addressSteps,
  calls: [
    ...placeCalls,
    placeCountsCall,
    ...parcelsCalls,
    parcelCall,
    saveParcelCall,
    importPlacesCall,
    saveCompanyMapCall,
    removeCompanyMapCall,
    ...partCalls(placeFiles),
  ],
  demo: () => import('./demo.ts'),
}
