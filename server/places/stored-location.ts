import type { LocationValue } from '../../shared/places.ts'
import type { Point } from '../db/column-types.ts'
import { pointOf } from './at-point.ts'

interface StoredLocation {
  location: string
  address_id: number | null
  lat: number | null
  lon: number | null
  at: Point | null
}

/** Converts a location from `resolveLocation` to column values. If the location is null, the text is empty. */
export const locationColumns = (location: LocationValue | null) => ({
  location: location?.text ?? '',
  address_id: location?.addressId ?? null,
  lat: location?.lat ?? null,
  lon: location?.lon ?? null,
  at: location?.metres ? pointOf(location.metres) : null,
})

/** Converts a location to column values for rows in JSON (`insertRows`). */
export const storedLocation = (location: LocationValue) => ({
  ...locationColumns(location),
  at: location.metres ? `(${location.metres.x},${location.metres.y})` : null,
})

/** Reads the location from the columns of a row. */
export const locationFromRow = ({ location, address_id, lat, lon, at }: StoredLocation): LocationValue => ({
  text: location,
  addressId: address_id,
  lat,
  lon,
  metres: at && { x: at.x, y: at.y },
})
