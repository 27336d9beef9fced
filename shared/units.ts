const FEET_PER_METRE = 3.280_84

/** Converts a distance in meters to whole feet. */
export const feetOf = (metres: number): number => Math.round(metres * FEET_PER_METRE)
