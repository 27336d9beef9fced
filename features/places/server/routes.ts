import { partCalls } from '../../../server/attachments/parts.ts'
import type { Implemented } from '../../../server/call.ts'
import { placeCalls } from '../../../server/places/calls.ts'
import { placeFiles } from '../contract.ts'
import { parcelCall, parcelsCalls, saveParcelCall } from './parcels.ts'
import { importPlacesCall, placesKnownCall, removeTownMapCall, saveTownMapCall } from './town-places.ts'

export const calls: readonly Implemented[] = [
  ...placeCalls,
  ...partCalls(placeFiles),
  placesKnownCall,
  ...parcelsCalls,
  parcelCall,
  saveParcelCall,
  importPlacesCall,
  saveTownMapCall,
  removeTownMapCall,
]
