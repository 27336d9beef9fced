import type { Feature } from '../../server/feature.ts'
import { placeCalls } from '../../server/places/calls.ts'
import { parcelCall, parcelsCalls, saveParcelCall } from './server/parcels.ts'
import { importPlacesCall, placesKnownCall, removeTownMapCall, saveTownMapCall } from './server/town-places.ts'

export const places: Feature = {
  calls: [
    ...placeCalls,
    placesKnownCall,
    ...parcelsCalls,
    parcelCall,
    saveParcelCall,
    importPlacesCall,
    saveTownMapCall,
    removeTownMapCall,
  ],
  demo: () => import('./demo.ts'),
}
