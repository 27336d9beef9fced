import { parseCents, plainDollars } from '../../../shared/money.ts'
import { type ResourceForm, resourceForm } from '../contract.ts'

export const NUMBERS = [
  ...(['capacity', 'pieces', 'minMinutes', 'maxMinutes', 'noticeHours', 'aheadDays'] as const),
  ...(['beforeMinutes', 'afterMinutes', 'refundDays', 'latePercent', 'stepMinutes', 'seriesDates'] as const),
]
export const AMOUNTS = ['residentCents', 'otherCents', 'depositCents'] as const
const DAY_CHARS = 'MTWTFSS'

/** Form values. Each typed value is a string. */
export type ResourceInput = Record<(typeof NUMBERS)[number] | (typeof AMOUNTS)[number] | 'certificateFrom', string> &
  Omit<ResourceForm, (typeof NUMBERS)[number] | (typeof AMOUNTS)[number] | 'seasons' | 'addons' | 'certificateFrom'> & {
    seasons: string
    addons: string
  }

const days = (some: readonly number[]) =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => (some.includes(day) ? (DAY_CHARS[day - 1] ?? '') : '-')).join('')
const SEASON = /^(\d\d-\d\d) +(\d\d-\d\d) +([MTWFS-]{7}) +(\d\d:\d\d) +(\d\d:\d\d)(?: +(\d{1,3})%)?$/

/**
 * Converts a resource to form values. Each season and each add-on becomes one line, for example `05-01 09-30 MTWTFSS
 * 08:00 22:00 125%` and `Grill 15.00`.
 */
export const typedOf = (form: ResourceForm): ResourceInput =>
  ({
    ...form,
    ...Object.fromEntries(NUMBERS.map((name) => [name, String(form[name])])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, plainDollars(form[name])])),
    certificateFrom: form.certificateFrom === null ? '' : String(form.certificateFrom),
    seasons: form.seasons
      .map((one) => `${one.from} ${one.until} ${days(one.days)} ${one.opens} ${one.closes} ${one.percent}%`)
      .join('\n'),
    addons: form.addons.map(({ name, cents }) => `${name} ${plainDollars(cents)}`).join('\n'),
  }) as unknown as ResourceInput

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)

/**
 * Parses a typed number. Returns null for empty input. Returns NaN for input that is not a number, so that the
 * validation refuses it.
 */
const numberIn = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed.trim()))

function formOf(typed: ResourceInput): unknown {
  return {
    ...typed,
    ...Object.fromEntries(NUMBERS.map((name) => [name, /^\d+$/.test(typed[name].trim()) ? Number(typed[name]) : null])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, parseCents(typed[name])])),
    certificateFrom: numberIn(typed.certificateFrom),
    seasons: linesOf(typed.seasons).map((one) => {
      const [, from, until, on = '', opens, closes, percent = '100'] = SEASON.exec(one) ?? []
      return {
        from,
        until,
        days: [...on].flatMap((sign, n) => (sign === '-' ? [] : [n + 1])),
        opens,
        closes,
        percent: Number(percent),
      }
    }),
    addons: linesOf(typed.addons).map((one) => {
      const [, name = one, amount = ''] = /^(.*\S)\s+\$?([\d.,]+)$/.exec(one) ?? []
      return { name, cents: parseCents(amount) }
    }),
  }
}

const SEASON_INVALID = 'Enter each season in this format: 05-01 09-30 MTWTFSS 08:00 22:00 100%.'
const ADDON_INVALID = 'Enter one add-on per line, with its price. Example: Grill 15.00.'
const AMOUNT_INVALID = 'Enter an amount, such as 25.00.'
/** Validation rules of the contract. An error in a single line appears at the field that contains the line. */
export const rules = {
  async safeParseAsync(values: unknown) {
    const parsed = await resourceForm.safeParseAsync(formOf(values as ResourceInput))
    if (parsed.success) return { success: true as const, data: parsed.data }
    const issues = parsed.error.issues.map(({ path, message }) => {
      const [field] = path
      const errorText =
        field === 'seasons' && path.length > 1
          ? SEASON_INVALID
          : field === 'addons'
            ? ADDON_INVALID
            : AMOUNTS.some((name) => name === field)
              ? AMOUNT_INVALID
              : message
      return { path: field === undefined ? [] : [field], message: errorText }
    })
    return { success: false as const, error: { issues } }
  },
}

export const blank: ResourceForm = {
  ...{ name: '', kind: 'pavilion', status: 'draft', description: '', location: '', resourceRules: '', amenities: '' },
  ...{
    accessibility: '',
    capacity: 0,
    pieces: 1,
    needsApproval: false,
    certificateFrom: null,
    ...{ hasQuestions: true, seriesDates: 0, seriesApproval: true },
    closedOnHolidays: true,
    stepMinutes: 60,
  },
  seasons: [
    { from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7], opens: '08:00', closes: '22:00', percent: 100 },
  ],
  ...{ minMinutes: 60, maxMinutes: 480, noticeHours: 24, aheadDays: 365, beforeMinutes: 0, afterMinutes: 30 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '' },
}
