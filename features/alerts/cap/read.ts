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

/**
 * Maximum length of a message, larger than any real message. The National Weather Service's largest messages in one
 * year were 200 kB.
 */
const MAX_LENGTH = 2_000_000
const MAX_PARTS = 100
const MAX_CORNERS = 5000
const MAX_CORNERS_OF_ALL = 20_000

/** Reasons for refusing a message. The name is for programs. The sentence is for the person who manages the source. */
export const refusals = {
  too_large: 'The message has more than two million characters.',
  entities: 'The message defines its own entities or document type, which is not supported.',
  not_xml: 'The message is not well-formed XML.',
  names: 'The message has an element with an unexpected name or depth.',
  characters: 'The message has a character that cannot be stored.',
  not_cap: 'The root element is not a CAP 1.2 alert.',
  too_many: 'An element is repeated more than a hundred times.',
  identifier: 'The identifier is missing, or it has spaces, commas or angle brackets.',
  sender: 'The sender is missing, or it has spaces, commas or angle brackets.',
  sent: 'The sent time is missing or not in this format: 2026-11-20T07:00:00-05:00.',
  status: 'The status is not a valid CAP value.',
  msgType: 'The msgType is not a valid CAP value.',
  scope: 'The scope is not a valid CAP value.',
  restriction: 'The scope is Restricted, but the restriction is missing.',
  addresses: 'The scope is Private, but the addresses are missing.',
  note: 'The message is an exercise or an error, but it has no note with an explanation.',
  references_missing: 'The message changes another message, but it has no reference to that message.',
  references: 'Each reference must have the sender, identifier and time of a message.',
  references_later: 'The message refers to another message that was sent later.',
  info: 'The message has no info block.',
  language: 'The language of an info block is not valid.',
  language_twice: 'Two info blocks describe the same event in the same language for the same area.',
  category: 'An info block has no category, or its category is not a valid CAP value.',
  event: 'An info block has no event.',
  responseType: 'A responseType is not a valid CAP value.',
  urgency: 'The urgency of an info block is missing or not a valid CAP value.',
  severity: 'The severity of an info block is missing or not a valid CAP value.',
  certainty: 'The certainty of an info block is missing or not a valid CAP value.',
  eventCode: 'An eventCode has no name or no value.',
  parameter: 'A parameter has no name or no value.',
  effective: 'The effective time of an info block is not in the CAP time format.',
  onset: 'The onset of an info block is not in the CAP time format.',
  expires: 'The expiration time of an info block is missing or not in the CAP time format.',
  expires_early: 'An info block expires before the message was sent.',
  onset_late: 'The onset of an info block is after its expiration time.',
  web: 'The web address of an info block is not valid.',
  resource: 'A resource has no description or no type.',
  area: 'An info block has no area.',
  areaDesc: 'An area has no description.',
  polygon: 'A polygon is not a list of latitude and longitude pairs.',
  polygon_long: 'A polygon has more than 5,000 corners.',
  polygons_long: 'The areas have more than 20,000 corners.',
  polygon_short: 'A polygon has fewer than four positions.',
  polygon_open: 'The first and last positions of a polygon differ.',
  polygon_crossing: 'A polygon crosses itself.',
  circle: 'A circle does not have a latitude, a longitude and a radius in kilometers.',
  geocode: 'A geocode has no name or no value.',
  altitude: 'An altitude or a ceiling is not a number of feet.',
  ceiling: 'An area has a ceiling without an altitude, or an altitude above its ceiling.',
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

/** Returns the text of an element. Returns '' if the element is missing or contains other elements. */
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
    // An empty element is not an area. The National Weather Service sends empty elements if only the codes count.
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
