/** Origin from which a company's coordinates in meters are counted. */
export interface Origin {
  lat: number
  lon: number
}

export interface Metres {
  x: number
  y: number
}

// Earth's radius in meters and squared eccentricity in WGS 84, which GPS and web maps use.
const RADIUS = 6_378_137
const SQUARED_ECCENTRICITY = 0.006_694_379_990_14
const RADIANS = Math.PI / 180

/**
 * Projects a company's area onto a flat map: meters east (x) and north (y) of its origin. Both values are linear in
 * degrees. So straight borders stay straight, and points inside an area stay inside. Distances within a municipality
 * are accurate to 0.1%.
 */
export function planeAt({ lat, lon }: Origin) {
  const bulge = 1 - SQUARED_ECCENTRICITY * Math.sin(lat * RADIANS) ** 2
  const perLat = (RADIANS * RADIUS * (1 - SQUARED_ECCENTRICITY)) / bulge ** 1.5
  const perLon = (RADIANS * RADIUS * Math.cos(lat * RADIANS)) / Math.sqrt(bulge)
  return {
    metresOf: (point: Origin): Metres => ({ x: (point.lon - lon) * perLon, y: (point.lat - lat) * perLat }),
    degreesOf: ({ x, y }: Metres): Origin => ({ lat: lat + y / perLat, lon: lon + x / perLon }),
  }
}
export type Plane = ReturnType<typeof planeAt>

/** Maximum distance of a location from the company's origin, in meters. */
const FARTHEST_METRES = 200_000

export const isNear = ({ x, y }: Metres): boolean => Math.hypot(x, y) <= FARTHEST_METRES
