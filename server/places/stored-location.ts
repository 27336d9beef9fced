import type { PlaceValue } from '../../shared/places.ts'
import type { Point } from '../db/column-types.ts'
import { pointOf } from './at-point.ts'

/** The columns in which a row keeps a place. */
interface StoredLocation {
  place: string
  address_id: number | null
  lat: number | null
  lon: number | null
  at: Point | null
}

/** A place, as `settlePlace` answers it, as the columns of a row; no place is one without words. */
export const placeColumns = (place: PlaceValue | null) => ({
  place: place?.text ?? '',
  address_id: place?.addressId ?? null,
  lat: place?.lat ?? null,
  lon: place?.lon ?? null,
  at: place?.metres ? pointOf(place.metres) : null,
})

/** The place that a row keeps. */
export const keptPlace = ({ place, address_id, lat, lon, at }: StoredLocation): PlaceValue => ({
  text: place,
  addressId: address_id,
  lat,
  lon,
  metres: at && { x: at.x, y: at.y },
})
