import type { StatusKind } from '../../shared/machine.ts'
import type { Point, Position } from '../../shared/places.ts'
import { planeAt } from '../../shared/plane.ts'

/** Text of an alert in one language. */
export interface AlertText {
  headline: string
  description: string
  instruction: string
}
/** Text of an alert by language. English is required. */
export interface AlertTexts {
  en: AlertText
  es?: AlertText | undefined
}

/** Alert service types (spec 9.4). */
export const ALERT_SERVICE = 1
export const serviceTypes = { [ALERT_SERVICE]: 'Alert', 2: 'Essential', 3: 'Other' } as const
export type ServiceType = keyof typeof serviceTypes

/** Severities of CAP 1.2. The database stores the names, and screens show the labels. */
export const severities = {
  Extreme: 'Extreme: a threat to life and property',
  Severe: 'Severe: a significant threat',
  Moderate: 'Moderate: a possible threat',
  Minor: 'Minor: little or no threat',
  Unknown: 'Unknown',
} as const
/** One-word labels of severities, for lists and badges. */
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
  Immediate: 'Act immediately',
  Expected: 'Act within the hour',
  Future: 'Act in the near future',
  Past: 'No further action needed',
  Unknown: 'Unknown',
} as const
export const certainties = {
  Observed: 'Happening now, or already happened',
  Likely: 'Likely',
  Possible: 'Possible',
  Unlikely: 'Unlikely',
  Unknown: 'Unknown',
} as const
export const categories = {
  Geo: 'Earthquakes and landslides',
  Met: 'Weather and floods',
  Safety: 'Public safety',
  Security: 'Security and police',
  Rescue: 'Rescue and missing people',
  Fire: 'Fire',
  Health: 'Health and drinking water',
  Env: 'Environment and pollution',
  Transport: 'Roads and traffic',
  Infra: 'Utilities and buildings',
  CBRNE: 'Hazardous materials',
  Other: 'Other',
} as const
/** Defaults of a new alert. `PAST` is the urgency of an alert that has ended. */
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

/** Status of one email, text message or call. */
export const deliveryStates = {
  queued: 'Queued',
  waiting: 'Processing',
  sent: 'Sent',
  delivered: 'Delivered',
  unclear: 'Delivery uncertain',
  failed: 'Failed',
  optedOut: 'Recipient opted out',
  resting: 'Address paused',
} as const
export type DeliveryState = keyof typeof deliveryStates

/** Reasons for a failed delivery. Raw codes of mail servers and SMS providers mean nothing to most people. */
export const deliveryReasons = {
  none: '–',
  unclear: 'No response from the provider, but the message may have been sent',
  refused: 'The message was rejected',
  rests: 'A recent message was rejected, so the address is paused',
  optedOut: 'The recipient opted out',
  same: 'An identical message was already waiting for this phone',
  unanswered: 'No one answered',
  busy: 'The line was busy on every attempt',
  machine: 'An answering machine took the message',
  pressed: 'The recipient pressed 9 to stop all calls',
  expired: 'The alert ended before the recipient was reached',
} as const

/** Default number of recipients above which an alert needs an approver. Companies can change it. */
export const USUAL_APPROVAL_OVER = 500

/** Paths of the page where residents choose their alerts, and of the public alerts page. */
export const CHOOSE_PATH = '/alerts?choose=1'
export const READ_PATH = '/alerts'

/**
 * True for an emergency. The portal sends an emergency alert even during quiet hours. An automatic alert may call
 * people only in an emergency.
 */
export const isEmergency = (type: number, severity: Severity): boolean =>
  type === ALERT_SERVICE && (severity === 'Extreme' || severity === 'Severe')

/** Returns the text in a language, or English if that language is missing. */
export const textIn = (texts: AlertTexts, language: string): AlertText =>
  language === 'es' && texts.es ? texts.es : texts.en

/** Returns the first unfilled placeholder in square brackets, in any language. Undefined if none is left. */
export const blankIn = ({ en, es }: AlertTexts): string | undefined =>
  [en, es]
    .flatMap((one) => (one ? [one.headline, one.description, one.instruction] : []))
    .map((text) => /\[[^[\]\n]{1,40}\]/.exec(text)?.[0])
    .find((blank) => blank !== undefined)

/** Prefix of a text message by kind of message and language. */
const textPrefix: Record<Kind, { en: string; es: string }> = {
  alert: { en: '', es: '' },
  update: { en: 'UPDATE: ', es: 'ACTUALIZACION: ' },
  cancel: { en: 'CANCELLED: ', es: 'CANCELADO: ' },
  all_clear: { en: 'ALL CLEAR: ', es: 'FIN DE LA ALERTA: ' },
}
export const prefixOf = (kind: Kind, language: 'en' | 'es'): string => textPrefix[kind][language]

/** Spanish prefix for the headline of an alert that is no longer in force. */
export const ENDED_IN_SPANISH = 'Ya no rige: '

/** Returns a text message with the headline and the instruction. The alerts page shows the other details. */
export const textOf = (kind: Kind, texts: AlertTexts, language: 'en' | 'es'): string => {
  const { headline, instruction } = textIn(texts, language)
  return `${prefixOf(kind, language)}${headline}${/[.!?]$/.test(headline) || instruction === '' ? '' : '.'} ${instruction}`.trim()
}

const CIRCLE_CORNERS = 32

/** Returns a polygon that encloses the whole circle. */
export function ringAround(center: Point, metres: number): Position[] {
  const far = metres / Math.cos(Math.PI / CIRCLE_CORNERS)
  const plane = planeAt(center)
  return Array.from({ length: CIRCLE_CORNERS }, (_, at) => {
    const angle = (2 * Math.PI * at) / CIRCLE_CORNERS
    const { lat, lon } = plane.degreesOf({ x: far * Math.cos(angle), y: far * Math.sin(angle) })
    return [lon, lat]
  })
}
