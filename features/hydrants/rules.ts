import { addDays } from '../../shared/dates.ts'

/** Measurement at one outlet of a hydrant. */
export interface FlowOutlet {
  diameterInches: number
  /** Discharge coefficient, which depends on the shape of the outlet (`coefficientLabels`). */
  coefficient: number
  /** Reading of the pitot gauge in the stream, in psi. */
  pitotPsi: number
}

export interface Readings {
  /** Pressure before the water flows, in psi. */
  staticPsi: number
  /** Pressure while the water flows, in psi. */
  residualPsi: number
  outlets: readonly FlowOutlet[]
}

/** Minimum pressure in water mains during firefighting, in psi. */
export const RATED_PSI = 20

/** Labels of the discharge coefficients of NFPA 291, which depend on the joint between outlet and barrel. */
export const coefficientLabels = {
  '0.9': '0.90, smooth and rounded',
  '0.8': '0.80, square and sharp',
  '0.7': '0.70, square and projecting into the barrel',
} as const

export const STATIC_LOW = 'Enter a static pressure above 20 psi. Lower readings cannot show the flow at 20 psi.'
export const RESIDUAL_HIGH =
  'Enter a residual pressure below the static pressure. Open more outlets until the pressure falls.'

/** Returns an error if no flow can be calculated from these pressures. Null if the pressures are valid. */
export function pressureFault({ staticPsi, residualPsi }: Pick<Readings, 'staticPsi' | 'residualPsi'>) {
  if (staticPsi <= RATED_PSI) return { field: 'staticPsi' as const, text: STATIC_LOW }
  if (residualPsi >= staticPsi) return { field: 'residualPsi' as const, text: RESIDUAL_HIGH }
  return null
}

/**
 * Minimum diameter of a pumper outlet, in inches. The stream does not fill an outlet this large, so the computed flow
 * is corrected.
 */
const PUMPER_INCHES = 4

/**
 * Factors for the computed flow of a pumper outlet, by the velocity head in whole psi from 2 to 7 (NFPA 291, table
 * 4.8.2).
 */
const pumperCoefficients = [0.97, 0.92, 0.89, 0.86, 0.84, 0.83] as const

/**
 * Returns the factor for the computed flow of an outlet. Interpolates between table rows. Outside the table, the first
 * or the last row applies.
 */
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

/**
 * Returns the flow of an outlet in gallons per minute: 29.84 c d² √p. For a pumper outlet, multiplies this by the
 * factor of `pumperCoefficient`.
 */
export const outletFlow = ({ diameterInches, coefficient, pitotPsi }: FlowOutlet): number =>
  29.84 * coefficient * diameterInches ** 2 * Math.sqrt(pitotPsi) * pumperCoefficient({ diameterInches, pitotPsi })

/**
 * Returns the total flow and the flow available at 20 psi, in whole gallons a minute, according to NFPA 291. The
 * available flow is calculated from the unrounded total.
 * @throws if no flow can be calculated from the pressures. Callers check them first with `pressureFault`
 */
export function flowOf({ staticPsi, residualPsi, outlets }: Readings): { flowGpm: number; availableGpm: number } {
  if (pressureFault({ staticPsi, residualPsi })) throw new Error('no flow follows from these pressures')
  const flow = outlets.reduce((sum, outlet) => sum + outletFlow(outlet), 0)
  const available = flow * ((staticPsi - RATED_PSI) / (staticPsi - residualPsi)) ** 0.54
  return { flowGpm: Math.round(flow), availableGpm: Math.round(available) }
}

/** Labels of the flow classes. Firefighters see the class by the color of the hydrant's bonnet and caps. */
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
 * Rates the pressure drop as a share of the static pressure. NFPA 291 recommends at least a quarter, so a smaller drop
 * gets a warning. A test with a drop below a tenth is too weak to rate the hydrant, but stays in the history.
 */
export function dropOf({ staticPsi, residualPsi }: Pick<Readings, 'staticPsi' | 'residualPsi'>) {
  // Calculates in whole thousandths. With decimal fractions, rounding errors could make a drop of exactly a tenth of
  // 62.3 psi count as less.
  const [whole, fell] = [Math.round(staticPsi * 1000), Math.round((staticPsi - residualPsi) * 1000)]
  if (fell * 10 < whole) return 'weak' as const
  return fell * 4 < whole ? ('small' as const) : ('enough' as const)
}

/** Messages about an insufficient drop. */
export const dropMessages = {
  weak: 'The pressure fell by less than 10%. This test is too weak to rate the hydrant. Repeat the test with more outlets open.',
  small: 'The pressure fell by less than 25%. For a reliable result, repeat the test with more outlets open.',
  enough: null,
} as const

/** Hydrant status (spec 4.8; product rules, section 6). */
export const inspectionLabels = {
  current: 'Current',
  due_soon: 'Due Soon',
  overdue: 'Overdue',
  unknown: 'Unknown',
} as const
export type InspectionStatus = keyof typeof inspectionLabels

export const DUE_SOON_DAYS = 30

/** Returns the inspection status on `today`, a date in the company's time zone. */
export function inspectionStatus(nextOn: string | null, today: string): InspectionStatus {
  if (nextOn === null) return 'unknown'
  if (nextOn < today) return 'overdue'
  return nextOn <= addDays(today, DUE_SOON_DAYS) ? 'due_soon' : 'current'
}

export interface HydrantSettings {
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

/** Kind of a hydrant as a subject of inspections and work orders. */
export const HYDRANT = 'hydrant'
export const HYDRANTS_PATH = '/municipality/first-responder'
