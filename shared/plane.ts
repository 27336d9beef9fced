/** Where a town's metres are measured from. */
export interface Origin {
  lat: number
  lon: number
}

export interface Metres {
  x: number
  y: number
}

// The Earth's radius and flattening as of WGS 84, by which GPS and web maps count.
const RADIUS = 6_378_137
const SQUARED_ECCENTRICITY = 0.006_694_379_990_14
const RADIANS = Math.PI / 180

/**
 * A flat map of a town: metres east (x) and north (y) of its origin. Both are multiples of the degrees, so that a straight
 * border stays straight and whoever is inside it stays inside. Over a town's size distances are right to a thousandth.
 */
export function planeAt({ lat, lon }: Origin) {
  const bulge = 1 - SQUARED_ECCENTRICITY * Math.sin(lat * RADIANS) ** 2
  const perLat = (RADIANS * RADIUS * (1 - SQUARED_ECCENTRICITY)) / bulge ** 1.5
  const perLon = (RADIANS * RADIUS * Math.cos(lat * RADIANS)) / Math.sqrt(bulge)
  return {
    metresOf: (place: Origin): Metres => ({ x: (place.lon - lon) * perLon, y: (place.lat - lat) * perLat }),
    degreesOf: ({ x, y }: Metres): Origin => ({ lat: lat + y / perLat, lon: lon + x / perLon }),
  }
}
export type Plane = ReturnType<typeof planeAt>

/** Farther from the town's origin no place is one of the town. */
const FARTHEST_METRES = 200_000

export const isNear = ({ x, y }: Metres): boolean => Math.hypot(x, y) <= FARTHEST_METRES
