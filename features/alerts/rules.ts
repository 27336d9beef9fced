import type { StatusKind } from '../../shared/machine.ts'
import type { Point, Position } from '../../shared/places.ts'
import { planeAt } from '../../shared/plane.ts'

/** What an alert says in one language. */
export interface AlertText {
  headline: string
  description: string
  instruction: string
}
/** English is always there. */
export interface AlertTexts {
  en: AlertText
  es?: AlertText | undefined
}

/** Alert service types (specification 9.4). */
export const serviceTypes = { 1: 'Alert', 2: 'Essential', 3: 'Other' } as const
export type ServiceType = keyof typeof serviceTypes

/** In the words of CAP 1.2, whose names are kept and whose labels are read. */
export const severities = {
  Extreme: 'Extreme: a threat to life and property',
  Severe: 'Severe: a significant threat',
  Moderate: 'Moderate: a possible threat',
  Minor: 'Minor: little or no threat',
  Unknown: 'Unknown',
} as const
/** The same in a word, for lists and badges. */
export const severityLabels = {
  Extreme: 'Extreme',
  Severe: 'Severe',
  Moderate: 'Moderate',
  Minor: 'Minor',
  Unknown: 'Unknown',
} as const
export const severityKinds = {
  Extreme: 'bad',
  Severe: 'bad',
  Moderate: 'attention',
  Minor: 'neutral',
  Unknown: 'neutral',
} as const satisfies Record<keyof typeof severities, StatusKind>
export const urgencies = {
  Immediate: 'Act at once',
  Expected: 'Act within the hour',
  Future: 'Act in the near future',
  Past: 'No action is needed any more',
  Unknown: 'Unknown',
} as const
export const certainties = {
  Observed: 'It happens, or has happened',
  Likely: 'Likely',
  Possible: 'Possible',
  Unlikely: 'Unlikely',
  Unknown: 'Unknown',
} as const
export const categories = {
  Geo: 'Ground and landslides',
  Met: 'Weather and floods',
  Safety: 'Public safety',
  Security: 'Security and police',
  Rescue: 'Rescue and missing people',
  Fire: 'Fire',
  Health: 'Health and drinking water',
  Env: 'Environment and pollution',
  Transport: 'Roads and traffic',
  Infra: 'Utilities and buildings',
  CBRNE: 'Dangerous substances',
  Other: 'Other',
} as const
/** How an alert begins while it is written, and what of it holds once it is over. */
export const usual = { category: 'Safety', severity: 'Moderate', urgency: 'Expected', certainty: 'Likely' } as const
export const PAST = 'Past' satisfies keyof typeof urgencies
export const kinds = { alert: 'Alert', update: 'Update', cancel: 'Cancellation', all_clear: 'All-clear' } as const
export type Kind = keyof typeof kinds
export type Severity = keyof typeof severities
export type Urgency = keyof typeof urgencies
export type Certainty = keyof typeof certainties
export type Category = keyof typeof categories

export const channels = { email: 'Email', text: 'Text', call: 'Call' } as const
export type Channel = keyof typeof channels

/** What is known of one mail, text or call. */
export const deliveryStates = {
  queued: 'Not handed over yet',
  waiting: 'On its way',
  sent: 'Sent',
  delivered: 'Delivered',
  unclear: 'Unclear whether it was sent',
  failed: 'Failed',
  stopped: 'Stopped by its receiver',
  resting: 'Address rests',
} as const
export type DeliveryState = keyof typeof deliveryStates

/** Why a mail, text or call did not get there. Codes of servers and of the provider of texts mean nothing to most. */
export const deliveryReasons = {
  none: '–',
  unclear: 'The provider did not answer, and may have sent it',
  refused: 'It was refused',
  rests: 'It was refused lately, so it is left alone for a while',
  stopped: 'Its receiver stopped it',
  same: 'The same waited for this phone already',
  unanswered: 'Nobody answered',
  busy: 'The phone was busy each time',
  machine: 'A machine answered and took it',
  pressed: 'Its hearer pressed 9 and is called no more',
  over: 'It was over before anybody was reached',
} as const

/** An alert to more people than that needs a second person, unless the town says otherwise. */
export const USUAL_SECOND_PERSON_OVER = 500

/** Where residents choose what they are alerted of, and where everybody reads alerts. */
export const CHOOSE_PATH = '/alerts?choose=1'
export const READ_PATH = '/alerts'

/** Quiet hours and what somebody did not choose hold up no alert of this kind. */
export const isEmergency = (type: number, severity: Severity): boolean =>
  type === 1 && (severity === 'Extreme' || severity === 'Severe')

/** What is to be read in a language: English, where it is not said in that one. */
export const saidIn = (words: AlertTexts, language: string): AlertText =>
  language === 'es' && words.es ? words.es : words.en

/** What stands in square brackets is to be filled in: the first that is not yet, in any language, or undefined. */
export const blankIn = ({ en, es }: AlertTexts): string | undefined =>
  [en, es]
    .flatMap((one) => (one ? [one.headline, one.description, one.instruction] : []))
    .map((text) => /\[[^[\]\n]{1,40}\]/.exec(text)?.[0])
    .find((blank) => blank !== undefined)

/** Before what a text says. */
const textPrefix: Record<Kind, { en: string; es: string }> = {
  alert: { en: '', es: '' },
  update: { en: 'UPDATE: ', es: 'ACTUALIZACION: ' },
  cancel: { en: 'CANCELLED: ', es: 'CANCELADO: ' },
  all_clear: { en: 'ALL CLEAR: ', es: 'FIN DE LA ALERTA: ' },
}
export const prefixOf = (kind: Kind, language: 'en' | 'es'): string => textPrefix[kind][language]

/** Stands before a headline in Spanish that holds no more. */
export const OVER_IN_SPANISH = 'Ya no rige: '

/** A text says what happens and what to do; the page has the rest. */
export const textOf = (kind: Kind, words: AlertTexts, language: 'en' | 'es'): string => {
  const { headline, instruction } = saidIn(words, language)
  return `${prefixOf(kind, language)}${headline}${/[.!?]$/.test(headline) || instruction === '' ? '' : '.'} ${instruction}`.trim()
}

const CIRCLE_CORNERS = 32

/** A border around a circle, so that whoever is in it is inside the border. */
export function ringAround(center: Point, metres: number): Position[] {
  const far = metres / Math.cos(Math.PI / CIRCLE_CORNERS)
  const plane = planeAt(center)
  return Array.from({ length: CIRCLE_CORNERS }, (_, at) => {
    const angle = (2 * Math.PI * at) / CIRCLE_CORNERS
    const { lat, lon } = plane.degreesOf({ x: far * Math.cos(angle), y: far * Math.sin(angle) })
    return [lon, lat]
  })
}
