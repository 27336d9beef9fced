import { addDays } from '../../shared/dates.ts'

/** What water ran from one outlet of a flowing hydrant. */
export interface Outlet {
  diameterInches: number
  /** How smooth the outlet is inside: `coefficientLabels`. */
  coefficient: number
  /** What the pitot gauge read in the stream. */
  pitotPsi: number
}

/** What was read at a flow test. */
export interface Readings {
  /** The pressure before water ran. */
  staticPsi: number
  /** The pressure while it ran. */
  residualPsi: number
  outlets: readonly Outlet[]
}

/** Water mains may not fall below this pressure while a fire is fought. */
export const RATED_PSI = 20

/** The discharge coefficients of NFPA 291, by how the outlet joins the barrel. */
export const coefficientLabels = {
  '0.9': '0.90, smooth and rounded',
  '0.8': '0.80, square and sharp',
  '0.7': '0.70, square and projecting into the barrel',
} as const

export const STATIC_LOW =
  'The static pressure has to be above 20 psi: below that nothing can be said of the flow at 20 psi.'
export const RESIDUAL_HIGH =
  'The residual pressure has to be below the static pressure: open more outlets until it falls.'

/** Why no flow follows from these pressures; null where one does. */
export function pressureFault({ staticPsi, residualPsi }: Pick<Readings, 'staticPsi' | 'residualPsi'>) {
  if (staticPsi <= RATED_PSI) return { field: 'staticPsi' as const, says: STATIC_LOW }
  if (residualPsi >= staticPsi) return { field: 'residualPsi' as const, says: RESIDUAL_HIGH }
  return null
}

/** What runs from an outlet, in gallons a minute: 29.84 c d² √p. */
export const outletFlow = ({ diameterInches, coefficient, pitotPsi }: Outlet): number =>
  29.84 * coefficient * diameterInches ** 2 * Math.sqrt(pitotPsi)

/**
 * What ran from all outlets, and what the hydrant gives at 20 psi, in whole gallons a minute, by NFPA 291. The flow is
 * rounded only after the second is worked out of it.
 * @throws for pressures from which nothing follows: the caller refuses them by `pressureFault`
 */
export function flowOf({ staticPsi, residualPsi, outlets }: Readings): { flowGpm: number; availableGpm: number } {
  if (pressureFault({ staticPsi, residualPsi })) throw new Error('no flow follows from these pressures')
  const flow = outlets.reduce((sum, outlet) => sum + outletFlow(outlet), 0)
  const available = flow * ((staticPsi - RATED_PSI) / (staticPsi - residualPsi)) ** 0.54
  return { flowGpm: Math.round(flow), availableGpm: Math.round(available) }
}

/** The colour of bonnet and caps, by which a fire company knows a hydrant's class. */
export const classLabels = {
  AA: 'AA, light blue',
  A: 'A, green',
  B: 'B, orange',
  C: 'C, red',
} as const
export type FlowClass = keyof typeof classLabels

export function classOf(availableGpm: number): FlowClass {
  if (availableGpm >= 1500) return 'AA'
  if (availableGpm >= 1000) return 'A'
  return availableGpm >= 500 ? 'B' : 'C'
}

/** NFPA 291 asks that the pressure falls by a quarter, so that the result can be relied on. */
export const dropIsSmall = ({ staticPsi, residualPsi }: Pick<Readings, 'staticPsi' | 'residualPsi'>): boolean =>
  residualPsi > staticPsi * 0.75

/** Hydrant status (specification 4.8; product rules, section 6). */
export const inspectionLabels = {
  current: 'Current',
  due_soon: 'Due Soon',
  overdue: 'Overdue',
  unknown: 'Unknown',
} as const
export type InspectionStatus = keyof typeof inspectionLabels

export const DUE_SOON_DAYS = 30

/** Where the next inspection stands on a day of the town. */
export function inspectionStatus(nextOn: string | null, today: string): InspectionStatus {
  if (nextOn === null) return 'unknown'
  if (nextOn < today) return 'overdue'
  return nextOn <= addDays(today, DUE_SOON_DAYS) ? 'due_soon' : 'current'
}

export interface HydrantSettings {
  /** Of the fire department. */
  fireEmails: string[]
  inspectionMonths: number
  flowTestYears: number
}
export const usualSettings: HydrantSettings = { fireEmails: [], inspectionMonths: 12, flowTestYears: 5 }

export const noteLabels = {
  hazard: 'Hazard',
  access: 'Gate or key',
  person: 'Person who may need help',
} as const
export type NoteKind = keyof typeof noteLabels

/** The subject that hydrants are of inspections. */
export const HYDRANT = 'hydrant'
export const HYDRANTS_PATH = '/municipality/first-responder'
