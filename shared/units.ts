export const METRES_PER_FOOT = 0.3048

/** Converts a distance in meters to whole feet. */
export const feetOf = (metres: number): number => Math.round(metres / METRES_PER_FOOT)
