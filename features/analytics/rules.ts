/** Daily measures with the labels of their parts. */
import { locations, methodLabel, methodLabels, OFFICE } from '../payments/rules.ts'
import { requestStates } from '../support/states.ts'

interface MeasureLabels {
  /** `flow`: number of events on a day. `stock`: number at the end of the day. */
  kind: 'flow' | 'stock'
  label: string
  /** True if the measure includes amounts of money. */
  money?: true
  parts: Readonly<Record<string, string>>
}

const ALL_METHODS = Object.keys(methodLabels).map(Number)

/** Combinations of location and payment method, `{location}:{method}` (spec 9.5). */
const channels = Object.fromEntries(
  Object.entries(locations).flatMap(([location, label]) =>
    // The office accepts more payment methods than other locations.
    (Number(location) === OFFICE ? ALL_METHODS : [1, 2]).map((method) => [
      `${location}:${method}`,
      `${label}, ${methodLabel(method)}`,
    ]),
  ),
)

export const measures = {
  residents: {
    kind: 'stock',
    label: 'Residents',
    parts: { signed_up: 'Signed up', confirmed: 'Email confirmed' },
  },
  utility_accounts: {
    kind: 'stock',
    label: 'Utility accounts',
    parts: { all: 'All accounts', linked: 'Linked by residents' },
  },
  sign_ups: { kind: 'flow', label: 'New residents', parts: { new: 'New residents' } },
  payments: { kind: 'flow', label: 'Payments', money: true, parts: channels },
  sign_ins: {
    kind: 'flow',
    label: 'Sign-ins',
    parts: {
      password: 'Password',
      passkey: 'Passkey',
      sso: 'Single sign-on',
      hand_off: 'Sign-in from billing system',
    },
  },
  failures: {
    kind: 'flow',
    label: 'Failures',
    parts: {
      sign_in: 'Failed sign-ins',
      declined: 'Declined payments',
      returned: 'Returned eChecks',
      alert: 'Payment problems',
      mail: 'Undelivered email',
    },
  },
  requests: { kind: 'stock', label: 'Support requests by status', parts: requestStates.labels },
  requests_received: { kind: 'flow', label: 'Support requests received', parts: { received: 'Received' } },
  requests_closed: {
    kind: 'flow',
    label: 'Support requests closed',
    parts: {
      day: 'Within a day',
      three_days: 'Within 3 days',
      week: 'Within a week',
      longer: 'After more than a week',
    },
  },
} as const satisfies Record<string, MeasureLabels>
export type MeasureName = keyof typeof measures
export const measureNames = Object.keys(measures) as [MeasureName, ...MeasureName[]]

export const labelsOf = (name: MeasureName): MeasureLabels => measures[name]
export const isStock = (name: MeasureName): boolean => labelsOf(name).kind === 'stock'

/** Returns the label of a part. If a later version stored an unknown part, returns its name. */
export const partLabel = (name: MeasureName, part: string): string => labelsOf(name).parts[part] ?? part

/** Maximum days for a chart with one bar a day. Longer charts have one bar a month. */
export const MAX_DAYS_BY_DAY = 92
