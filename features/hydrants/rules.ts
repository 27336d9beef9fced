import { addDays } from '../../shared/dates.ts'

/** What water ran from one outlet of a flowing hydrant. */
export interface FlowOutlet {
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
  outlets: readonly FlowOutlet[]
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

/** From this diameter on an outlet is a pumper's, whose stream does not fill it. */
const PUMPER_INCHES = 4

/** What a pumper outlet gives of its reckoned flow, by the velocity head in whole psi from 2 to 7 (NFPA 291, table 4.8.2). */
const pumperCoefficients = [0.97, 0.92, 0.89, 0.86, 0.84, 0.83] as const

/** Between two rows of the table it is their weighted mean; below the first and above the last it stays what they say. */
export function pumperCoefficient({
  diameterInches,
  pitotPsi,
}: Pick<FlowOutlet, 'diameterInches' | 'pitotPsi'>): number {
  if (diameterInches < PUMPER_INCHES) return 1
  const row = Math.min(Math.max(pitotPsi - 2, 0), pumperCoefficients.length - 1)
  const below = pumperCoefficients[Math.floor(row)] ?? 1
  const above = pumperCoefficients[Math.ceil(row)] ?? 1
  return below + (above - below) * (row % 1)
}

/** What runs from an outlet, in gallons a minute: 29.84 c d² √p, and of a pumper outlet the share that its table says. */
export const outletFlow = ({ diameterInches, coefficient, pitotPsi }: FlowOutlet): number =>
  29.84 * coefficient * diameterInches ** 2 * Math.sqrt(pitotPsi) * pumperCoefficient({ diameterInches, pitotPsi })

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

/**
 * How far the pressure fell. NFPA 291 asks for a quarter, so that the result can be relied on: less is advised about. By a
 * fall of less than a tenth nothing is judged: such a test stands in the history and says nothing of its hydrant.
 */
export function dropOf({ staticPsi, residualPsi }: Pick<Readings, 'staticPsi' | 'residualPsi'>) {
  // In thousandths, so that just a tenth of 62.3 psi counts as a tenth.
  const [whole, fell] = [Math.round(staticPsi * 1000), Math.round((staticPsi - residualPsi) * 1000)]
  if (fell * 10 < whole) return 'weak' as const
  return fell * 4 < whole ? ('small' as const) : ('enough' as const)
}

/** What is said of a fall that is not enough. */
export const dropWords = {
  weak: 'The pressure fell by less than a tenth: this test is too weak to judge by. Open more outlets.',
  small: 'The pressure fell by less than a quarter: open more outlets to rely on it.',
  enough: null,
} as const

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
