import { parseCents, plainDollars } from '../../../shared/money.ts'
import { type ZodForm } from '../../../web/ui/form.ts'
import { type ResourceForm, resourceForm } from '../../rentals/contract.ts'
import { WEEK } from '../../rentals/rules-hours.ts'
import type { Season } from '../../rentals/rules.ts'

const NUMBERS = [
  ...(['capacity', 'pieces', 'minMinutes', 'maxMinutes', 'noticeHours', 'aheadDays'] as const),
  ...(['beforeMinutes', 'afterMinutes', 'refundDays', 'latePercent', 'stepMinutes'] as const),
]
const AMOUNTS = ['residentCents', 'otherCents', 'depositCents'] as const
export type NumberName = (typeof NUMBERS)[number]
export type AmountName = (typeof AMOUNTS)[number]

/** Price of a season, compared with the regular price. */
export type PriceChange = 'same' | 'more' | 'less' | 'free'
export interface SeasonInput extends Omit<Season, 'percent' | 'days'> {
  days: number[]
  change: PriceChange
  /** Percentage by which the price is higher or lower, as typed. */
  by: string
}
export interface AddonInput {
  name: string
  amount: string
}

/** Form values. Each typed number is a string, so that a wrong entry stays in its field. */
export type ResourceInput = Record<NumberName | AmountName, string> &
  Omit<ResourceForm, NumberName | AmountName | 'seasons' | 'addons' | 'certificateFrom' | 'seriesDates'> & {
    seasons: SeasonInput[]
    addons: AddonInput[]
    certificateFrom: { needed: 'never' | 'always' | 'groups'; guests: string }
    seriesDates: { allowed: boolean; max: string }
  }
export type EditorForm = ZodForm<ResourceInput, ResourceForm>

const changeOf = (percent: number): Pick<SeasonInput, 'change' | 'by'> => ({
  change: percent === 100 ? 'same' : percent === 0 ? 'free' : percent > 100 ? 'more' : 'less',
  by: percent === 100 || percent === 0 ? '' : String(Math.abs(percent - 100)),
})

/** Converts a resource to form values. */
export const typedOf = (form: ResourceForm): ResourceInput =>
  ({
    ...form,
    ...Object.fromEntries(NUMBERS.map((name) => [name, String(form[name])])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, plainDollars(form[name])])),
    capacity: form.capacity === 0 ? '' : String(form.capacity),
    certificateFrom: {
      needed: form.certificateFrom === null ? 'never' : form.certificateFrom === 0 ? 'always' : 'groups',
      guests: form.certificateFrom ? String(form.certificateFrom) : '',
    },
    seriesDates: { allowed: form.seriesDates > 0, max: form.seriesDates > 0 ? String(form.seriesDates) : '4' },
    seasons: form.seasons.map(({ percent, ...season }) => ({ ...season, ...changeOf(percent) })),
    addons: form.addons.map(({ name, cents }) => ({ name, amount: plainDollars(cents) })),
  }) as unknown as ResourceInput

/** Parses a typed number. Returns null if the text is not a whole number, so that the validation refuses it. */
const numberIn = (typed: string): number | null => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed.trim()) : null)

export function percentOf({ change, by }: Pick<SeasonInput, 'change' | 'by'>): number | null {
  if (change === 'same') return 100
  if (change === 'free') return 0
  const points = numberIn(by)
  return points === null || points === 0 ? null : change === 'more' ? 100 + points : 100 - points
}

/** Converts form values to a resource. Entries that are not numbers become null. */
export const resourceOf = (typed: ResourceInput) => ({
  ...typed,
  ...(Object.fromEntries(NUMBERS.map((name) => [name, numberIn(typed[name])])) as Record<NumberName, number | null>),
  ...(Object.fromEntries(AMOUNTS.map((name) => [name, parseCents(typed[name])])) as Record<AmountName, number | null>),
  capacity: typed.capacity.trim() === '' ? 0 : numberIn(typed.capacity),
  pieces: typed.kind === 'equipment' ? numberIn(typed.pieces) : 1,
  certificateFrom: { never: null, always: 0, groups: numberIn(typed.certificateFrom.guests) || Number.NaN }[
    typed.certificateFrom.needed
  ],
  seriesDates: typed.seriesDates.allowed ? numberIn(typed.seriesDates.max) || Number.NaN : 0,
  seasons: typed.seasons.map(({ change, by, ...season }) => ({ ...season, percent: percentOf({ change, by }) })),
  addons: typed.addons.map(({ name, amount }) => ({ name, cents: parseCents(amount) })),
})

const AMOUNT_INVALID = 'Enter an amount, such as 25.00.'
const PERCENT_INVALID = 'Enter a whole number of at least 1. A lower price can be at most 99% less.'
/** Moves an error of the contract to the form field, if their names or messages differ. */
function fieldOf([field, at, part]: PropertyKey[], message: string): { path: PropertyKey[]; message: string } {
  if (field === 'seasons' && part === 'percent') return { path: [field, at ?? 0, 'by'], message: PERCENT_INVALID }
  if (field === 'addons' && part === 'cents') return { path: [field, at ?? 0, 'amount'], message: AMOUNT_INVALID }
  if (field === 'certificateFrom') return { path: [field, 'guests'], message }
  if (field === 'seriesDates') return { path: [field, 'max'], message }
  if (AMOUNTS.some((name) => name === field)) return { path: [field as AmountName], message: AMOUNT_INVALID }
  return { path: [field, at, part].filter((key) => key !== undefined), message }
}

/** The contract's rules for form values. */
export const rules = {
  async safeParseAsync(values: unknown) {
    const parsed = await resourceForm.safeParseAsync(resourceOf(values as ResourceInput))
    if (parsed.success) return { success: true as const, data: parsed.data }
    const issues = parsed.error.issues.map(({ path, message }) => fieldOf(path, message))
    return { success: false as const, error: { issues } }
  },
}

export const blankSeason: SeasonInput = {
  ...{ from: '01-01', until: '12-31', days: [...WEEK], opens: '08:00', closes: '22:00', change: 'same', by: '' },
}

export const blank: ResourceForm = {
  ...{ name: '', kind: 'pavilion', status: 'draft', description: '', location: '', resourceRules: '', amenities: '' },
  ...{ accessibility: '', capacity: 0, pieces: 1, needsApproval: false, certificateFrom: null },
  ...{ hasQuestions: true, seriesDates: 0, seriesApproval: true, closedOnHolidays: true, stepMinutes: 60 },
  seasons: [{ from: '01-01', until: '12-31', days: [...WEEK], opens: '08:00', closes: '22:00', percent: 100 }],
  ...{ minMinutes: 60, maxMinutes: 480, noticeHours: 24, aheadDays: 365, beforeMinutes: 0, afterMinutes: 30 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '' },
}
