import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Position } from '../../../shared/places.ts'
import { canBeStored } from '../../../server/text.ts'
import { crossingOf } from '../../../server/places/crossing.ts'
import { hasEntities } from './decode.ts'
import {
  CAP_NAMESPACE,
  type CapAlert,
  type CapArea,
  type CapCircle,
  type CapInfo,
  type CapResource,
  type NamedValue,
  type Reference,
  vocabulary,
  type CapWord,
} from './message.ts'

/** Larger than any real message. The National Weather Service's largest messages in one year had 200 kB. */
const MAX_LENGTH = 2_000_000
const MAX_PARTS = 100
const MAX_CORNERS = 5000
const MAX_CORNERS_OF_ALL = 20_000

/**
 * Reasons for refusing a message: a name that programs compare, and a sentence for the person who manages the source.
 */
export const refusals = {
  too_large: 'It is larger than two million letters.',
  entities: 'It defines entities or a document type of its own, which no alert needs.',
  not_xml: 'It is not well-formed XML.',
  names: 'It has an element whose name or depth no alert needs.',
  characters: 'A text of it has a character that cannot be kept.',
  not_cap: 'Its root is not an alert of CAP 1.2.',
  too_many: 'A part of it is repeated more than a hundred times.',
  identifier: 'Its identifier is missing, or has spaces, commas or angle brackets.',
  sender: 'Its sender is missing, or has spaces, commas or angle brackets.',
  sent: 'It does not say when it was sent, as 2026-11-20T07:00:00-05:00.',
  status: 'Its status is none of the standard’s.',
  msgType: 'Its msgType is none of the standard’s.',
  scope: 'Its scope is none of the standard’s.',
  restriction: 'Its scope is Restricted and it does not say to whom.',
  addresses: 'Its scope is Private and it names no addresses.',
  note: 'It is an exercise or an error, and has no note that says which.',
  references_missing: 'It changes another message and does not say which.',
  references: 'Its references are not sender, identifier and time of each message.',
  references_later: 'It refers to a message that was sent after it.',
  info: 'It tells of something and has no info.',
  language: 'The language of an info is none.',
  language_twice: 'Two infos tell of the same event in the same language at the same place.',
  category: 'An info has no category, or one that is none of the standard’s.',
  event: 'An info has no event.',
  responseType: 'A responseType is none of the standard’s.',
  urgency: 'The urgency of an info is missing or none of the standard’s.',
  severity: 'The severity of an info is missing or none of the standard’s.',
  certainty: 'The certainty of an info is missing or none of the standard’s.',
  eventCode: 'An eventCode has no name or no value.',
  parameter: 'A parameter has no name or no value.',
  effective: 'A time from which an info counts is not written as CAP writes times.',
  onset: 'The onset of an info is not written as CAP writes times.',
  expires: 'An info does not say until when it counts, as CAP writes times.',
  expires_early: 'An info is over before it was sent.',
  onset_late: 'An info begins after it is over.',
  web: 'The web address of an info is none.',
  resource: 'A resource has no description or no kind.',
  area: 'An info has no area.',
  areaDesc: 'An area is not described in words.',
  polygon: 'A polygon is not pairs of latitude and longitude.',
  polygon_long: 'A polygon has more than 5,000 corners.',
  polygons_long: 'Its areas have more than 20,000 corners.',
  polygon_short: 'A polygon has fewer than four positions.',
  polygon_open: 'A polygon does not end where it begins.',
  polygon_crossing: 'A polygon crosses itself.',
  circle: 'A circle is not a latitude, a longitude and a radius in kilometres.',
  geocode: 'A geocode has no name or no value.',
  altitude: 'An altitude or a ceiling is not a number of feet.',
  ceiling: 'An area has a ceiling and no altitude, or one above its ceiling.',
} as const
export type CapReason = keyof typeof refusals

export class CapRefused extends Error {
  readonly reason: CapReason
  constructor(reason: CapReason) {
    super(refusals[reason])
    this.reason = reason
  }
}

function demand(holds: boolean, reason: CapReason): asserts holds {
  if (!holds) throw new CapRefused(reason)
}

type Node = Record<string, unknown>

const REPEATED = new Set([
  ...['code', 'info', 'category', 'responseType', 'eventCode', 'parameter', 'resource', 'area', 'polygon', 'circle'],
  'geocode',
])

const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
  isArray: (name) => REPEATED.has(name),
})

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text of an element. '' if the element is missing or contains other elements. */
const raw = (node: Node, name: string): string => {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}
const textOf = (node: Node, name: string): string => raw(node, name).trim()

function partsOf(node: Node, name: string): unknown[] {
  const value = node[name]
  const parts = value === undefined ? [] : Array.isArray(value) ? value : [value]
  demand(parts.length <= MAX_PARTS, 'too_many')
  return parts
}
const textsOf = (node: Node, name: string): string[] =>
  partsOf(node, name).map((one) => (typeof one === 'string' ? one.trim() : ''))
const nodesOf = (node: Node, name: string): Node[] => partsOf(node, name).map((one) => (isNode(one) ? one : {}))

const isWord = <Name extends keyof typeof vocabulary>(name: Name, text: string): text is CapWord<Name> =>
  (vocabulary[name] as readonly string[]).includes(text)

function wordOf<Name extends keyof typeof vocabulary & CapReason>(node: Node, name: Name): CapWord<Name> {
  const text = textOf(node, name)
  demand(isWord(name, text), name)
  return text
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d$/
const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text))
const NAME = /^[^\s,&<]+$/
/** Language tag (BCP 47), checked as strictly as `xs:language`. */
const LANGUAGE = /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/

function timeOf(node: Node, name: 'effective' | 'onset' | 'expires'): string {
  const text = textOf(node, name)
  demand(text === '' || isTime(text), name)
  return text
}

/**
 * Reads a message.
 * @throws CapRefused with the first error in the message
 */
export function readCap(xml: string): CapAlert {
  demand(xml.length <= MAX_LENGTH, 'too_large')
  const body = xml.replace(/^\uFEFF/, '').trim()
  demand(!hasEntities(body), 'entities')
  demand(XMLValidator.validate(body) === true, 'not_xml')
  const root = rootOf(body)
  const tag = /<(?:[\w.-]+:)?alert\b[^>]*>/.exec(body)?.[0] ?? ''
  demand(isNode(root) && tag.includes(CAP_NAMESPACE), 'not_cap')
  const alert = alertOf(root)
  demand(canBeStored(alert), 'characters')
  checkWhole(alert)
  return alert
}

function rootOf(body: string): unknown {
  try {
    return (parser.parse(body) as Node)['alert']
  } catch {
    // The parser refuses names such as __proto__, and more than a hundred nested elements.
    throw new CapRefused('names')
  }
}

function alertOf(root: Node): CapAlert {
  const identifier = textOf(root, 'identifier')
  demand(NAME.test(identifier), 'identifier')
  const sender = textOf(root, 'sender')
  demand(NAME.test(sender), 'sender')
  const sent = textOf(root, 'sent')
  demand(isTime(sent), 'sent')
  return {
    ...{ identifier, sender, sent },
    status: wordOf(root, 'status'),
    msgType: wordOf(root, 'msgType'),
    source: textOf(root, 'source'),
    scope: wordOf(root, 'scope'),
    restriction: textOf(root, 'restriction'),
    addresses: textOf(root, 'addresses'),
    codes: textsOf(root, 'code').filter(Boolean),
    note: textOf(root, 'note'),
    references: referencesOf(textOf(root, 'references')),
    incidents: textOf(root, 'incidents'),
    infos: nodesOf(root, 'info').map(infoOf),
  }
}

function referencesOf(text: string): Reference[] {
  if (text === '') return []
  const all = text.split(/\s+/)
  demand(all.length <= MAX_PARTS, 'too_many')
  return all.map((one) => {
    const [sender = '', identifier = '', sent = '', ...more] = one.split(',')
    demand(NAME.test(sender) && NAME.test(identifier) && isTime(sent) && more.length === 0, 'references')
    return { sender, identifier, sent }
  })
}

/** Checks the required elements by message type (CAP 1.2, 3.2.1, and the IPAWS profile). */
function checkWhole(alert: CapAlert): void {
  const { status, msgType, scope, restriction, addresses, note, references, infos, sent } = alert
  demand(scope !== 'Restricted' || restriction !== '', 'restriction')
  demand(scope !== 'Private' || addresses !== '', 'addresses')
  demand((status !== 'Exercise' && msgType !== 'Error') || note !== '', 'note')
  demand(msgType === 'Alert' || references.length > 0, 'references_missing')
  const at = Date.parse(sent)
  demand(
    references.every((one) => Date.parse(one.sent) <= at),
    'references_later',
  )
  demand((msgType !== 'Alert' && msgType !== 'Update') || infos.length > 0, 'info')
  const corners = infos.flatMap(({ areas }) => areas.flatMap(({ polygons }) => polygons))
  demand(corners.reduce((sum, { length }) => sum + length, 0) <= MAX_CORNERS_OF_ALL, 'polygons_long')
  const seenKeys = new Set<string>()
  for (const { language, event, expires, onset, areas } of infos) {
    demand(Date.parse(expires) >= at, 'expires_early')
    demand(onset === '' || Date.parse(onset) <= Date.parse(expires), 'onset_late')
    const key = JSON.stringify([language.toLowerCase(), event, areas])
    demand(!seenKeys.has(key), 'language_twice')
    seenKeys.add(key)
  }
}

function infoOf(node: Node): CapInfo {
  const language = textOf(node, 'language') || 'en-US'
  demand(LANGUAGE.test(language), 'language')
  const categories = textsOf(node, 'category')
  demand(categories.length > 0 && categories.every((one) => isWord('category', one)), 'category')
  const event = textOf(node, 'event')
  demand(event !== '', 'event')
  const responseTypes = textsOf(node, 'responseType')
  demand(
    responseTypes.every((one) => isWord('responseType', one)),
    'responseType',
  )
  const expires = timeOf(node, 'expires')
  demand(expires !== '', 'expires')
  const web = textOf(node, 'web')
  demand(web === '' || URL.canParse(web), 'web')
  const areas = nodesOf(node, 'area').map(areaOf)
  const info: CapInfo = {
    language,
    ...{
      categories: categories as CapInfo['categories'],
      event,
      responseTypes: responseTypes as CapInfo['responseTypes'],
    },
    urgency: wordOf(node, 'urgency'),
    severity: wordOf(node, 'severity'),
    certainty: wordOf(node, 'certainty'),
    audience: textOf(node, 'audience'),
    eventCodes: namedOf(node, 'eventCode'),
    effective: timeOf(node, 'effective'),
    onset: timeOf(node, 'onset'),
    expires,
    senderName: textOf(node, 'senderName'),
    headline: textOf(node, 'headline'),
    description: textOf(node, 'description'),
    instruction: textOf(node, 'instruction'),
    web,
    contact: textOf(node, 'contact'),
    parameters: namedOf(node, 'parameter'),
    resources: nodesOf(node, 'resource').map(resourceOf),
    areas,
  }
  demand(areas.length > 0, 'area')
  return info
}

const namedOf = (node: Node, name: 'eventCode' | 'parameter' | 'geocode'): NamedValue[] =>
  nodesOf(node, name).map((one) => {
    const [valueName, value] = [textOf(one, 'valueName'), textOf(one, 'value')]
    // Only a parameter may have no value. The National Weather Service sends such parameters.
    demand(valueName !== '' && (value !== '' || name === 'parameter'), name)
    return { valueName, value }
  })

function resourceOf(node: Node): CapResource {
  const [resourceDesc, mimeType, uri] = [textOf(node, 'resourceDesc'), textOf(node, 'mimeType'), textOf(node, 'uri')]
  demand(resourceDesc !== '' && mimeType !== '', 'resource')
  return { resourceDesc, mimeType, uri }
}

function areaOf(node: Node): CapArea {
  const areaDesc = textOf(node, 'areaDesc')
  demand(areaDesc !== '', 'areaDesc')
  const [altitude, ceiling] = [feetOf(node, 'altitude'), feetOf(node, 'ceiling')]
  demand(ceiling === null || (altitude !== null && altitude <= ceiling), 'ceiling')
  return {
    areaDesc,
    // An empty element is not an area. The National Weather Service sends empty ones if only the codes count.
    polygons: textsOf(node, 'polygon').filter(Boolean).map(polygonOf),
    circles: textsOf(node, 'circle').filter(Boolean).map(circleOf),
    geocodes: namedOf(node, 'geocode'),
    ...{ altitude, ceiling },
  }
}

function feetOf(node: Node, name: 'altitude' | 'ceiling'): number | null {
  const text = textOf(node, name)
  if (text === '') return null
  demand(/^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text), 'altitude')
  return Number(text)
}

const DEGREES = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/

function positionOf(text: string, reason: 'polygon' | 'circle'): Position {
  const [lat = '', lon = '', ...more] = text.split(',')
  demand(more.length === 0 && DEGREES.test(lat) && DEGREES.test(lon), reason)
  const at: Position = [Number(lon), Number(lat)]
  demand(Math.abs(at[1]) <= 90 && Math.abs(at[0]) <= 180, reason)
  return at
}

function polygonOf(text: string): Position[] {
  const texts = text.split(/\s+/)
  demand(texts.length <= MAX_CORNERS, 'polygon_long')
  const positions = texts.map((one) => positionOf(one, 'polygon'))
  demand(positions.length >= 4, 'polygon_short')
  const [first, last] = [positions[0], positions.at(-1)]
  demand(first?.[0] === last?.[0] && first?.[1] === last?.[1], 'polygon_open')
  const corners = positions.slice(0, -1)
  demand(crossingOf(corners) === null, 'polygon_crossing')
  return corners
}

function circleOf(text: string): CapCircle {
  const [center = '', radius = '', ...more] = text.split(/\s+/)
  const [lon, lat] = positionOf(center, 'circle')
  demand(more.length === 0 && DEGREES.test(radius) && Number(radius) >= 0, 'circle')
  return { lat, lon, km: Number(radius) }
}
