import { escapedXml } from '../../../server/xml.ts'
import type { Position } from '../../../shared/places.ts'
import { CAP_NAMESPACE, type CapAlert, type CapArea, type CapInfo, type NamedValue } from './message.ts'

/** Decimal places of coordinates in degrees. One millionth of a degree is a tenth of a meter. */
const DIGITS = 6

/** Returns an XML element, or '' if its text is empty. */
const element = (name: string, text: string): string => (text === '' ? '' : `<${name}>${escapedXml(text)}</${name}>\n`)
const all = (name: string, texts: readonly string[]): string => texts.map((text) => element(name, text)).join('')
const named = (name: string, those: readonly NamedValue[]): string =>
  those
    .map(
      ({ valueName, value }) => `<${name}>\n${element('valueName', valueName)}${element('value', value)}</${name}>\n`,
    )
    .join('')

const degrees = (value: number): string => String(Number(value.toFixed(DIGITS)))
const pair = ([lon, lat]: Position): string => `${degrees(lat)},${degrees(lon)}`
/** Returns a border as a string, with its first corner repeated at the end. */
const polygonText = (corners: readonly Position[]): string => [...corners, ...corners.slice(0, 1)].map(pair).join(' ')

/** Writes a message as XML, with its elements in schema order. */
export const writeCap = (alert: CapAlert): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<alert xmlns="${CAP_NAMESPACE}">\n${[
    element('identifier', alert.identifier),
    element('sender', alert.sender),
    element('sent', alert.sent),
    element('status', alert.status),
    element('msgType', alert.msgType),
    element('source', alert.source),
    element('scope', alert.scope),
    element('restriction', alert.restriction),
    element('addresses', alert.addresses),
    all('code', alert.codes),
    element('note', alert.note),
    element(
      'references',
      alert.references.map(({ sender, identifier, sent }) => `${sender},${identifier},${sent}`).join(' '),
    ),
    element('incidents', alert.incidents),
    ...alert.infos.map(infoText),
  ].join('')}</alert>\n`

const infoText = (info: CapInfo): string =>
  `<info>\n${[
    element('language', info.language),
    all('category', info.categories),
    element('event', info.event),
    all('responseType', info.responseTypes),
    element('urgency', info.urgency),
    element('severity', info.severity),
    element('certainty', info.certainty),
    element('audience', info.audience),
    named('eventCode', info.eventCodes),
    element('effective', info.effective),
    element('onset', info.onset),
    element('expires', info.expires),
    element('senderName', info.senderName),
    element('headline', info.headline),
    element('description', info.description),
    element('instruction', info.instruction),
    element('web', info.web),
    element('contact', info.contact),
    named('parameter', info.parameters),
    ...info.resources.map(
      ({ resourceDesc, mimeType, uri }) =>
        `<resource>\n${element('resourceDesc', resourceDesc)}${element('mimeType', mimeType)}${element('uri', uri)}</resource>\n`,
    ),
    ...info.areas.map(areaText),
  ].join('')}</info>\n`

const areaText = (area: CapArea): string =>
  `<area>\n${[
    element('areaDesc', area.areaDesc),
    all('polygon', area.polygons.map(polygonText)),
    all(
      'circle',
      area.circles.map(({ lat, lon, km }) => `${pair([lon, lat])} ${Number(km.toFixed(3))}`),
    ),
    named('geocode', area.geocodes),
    area.altitude === null ? '' : element('altitude', String(area.altitude)),
    area.ceiling === null ? '' : element('ceiling', String(area.ceiling)),
  ].join('')}</area>\n`
