import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../../database/random.ts'
import { withoutControls } from '../../../server/xml.ts'
import type { Position } from '../../../shared/places.ts'
import { type CapAlert, capTime, vocabulary } from './message.ts'
import { MAX_CORNERS, roughly, simplified } from './polygons.ts'
import { type CapReason, CapRefused, readCap, refusals } from './read.ts'
import { writeCap } from './write.ts'

const area = {
  areaDesc: 'Riverside',
  polygons: [
    [
      [-76.94, 40.23],
      [-76.92, 40.23],
      [-76.92, 40.25],
      [-76.94, 40.25],
    ] as Position[],
  ],
  circles: [],
  geocodes: [{ valueName: 'SAME', value: '042041' }],
  altitude: null,
  ceiling: null,
}
const info = {
  language: 'en-US',
  categories: ['Infra' as const],
  event: 'Water main break',
  responseTypes: ['Avoid' as const],
  urgency: 'Immediate' as const,
  severity: 'Severe' as const,
  certainty: 'Observed' as const,
  audience: '',
  eventCodes: [{ valueName: 'SAME', value: 'CEM' }],
  effective: '2026-11-20T07:00:00-05:00',
  onset: '',
  expires: '2026-11-20T19:00:00-05:00',
  senderName: 'Maple Grove',
  headline: 'Boil water before you drink it',
  description: 'A main broke at Mill & Race <Street>.',
  instruction: 'Boil it for one minute.',
  web: 'https://maplegrove.example/alerts',
  contact: '717 555 0142',
  parameters: [{ valueName: 'layer:town:zone', value: 'Ward 2' }],
  resources: [],
  areas: [area],
}
const alert: CapAlert = {
  identifier: 'maplegrove-A-1001',
  sender: 'alerts@maplegrove.example',
  sent: '2026-11-20T07:00:00-05:00',
  status: 'Actual',
  msgType: 'Alert',
  source: '',
  scope: 'Public',
  restriction: '',
  addresses: '',
  codes: ['IPAWSv1.0'],
  note: '',
  references: [],
  incidents: '',
  infos: [info],
}

/** CAP schema with additional checks. If the file is missing, the schema test is skipped. */
const SCHEMA = fileURLToPath(new URL('../../../../shared/data/cap12_extended.xsd', import.meta.url))
const hasSchema = existsSync(SCHEMA)

const word = <One extends string>(values: readonly One[]) => fc.constantFrom(...values)
const line = fc.string({ unit: 'binary', minLength: 0, maxLength: 40 }).map((text) => withoutControls(text).trim())
const nonEmptyText = line.filter((text) => text !== '')
const name = fc.stringMatching(/^[\w.@:-]{1,20}$/)
const time = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((at) => capTime(at, 'America/New_York'))
const named = fc.record({ valueName: nonEmptyText, value: nonEmptyText })
/** Corners around a center, each in its own direction, so that the border can't cross itself. */
const star = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 3, maxLength: 12 }).map((far) =>
  far.map((radius, at): Position => {
    const angle = (2 * Math.PI * at) / far.length
    return [
      Number((-76 + (radius / 1e4) * Math.cos(angle)).toFixed(5)),
      Number((40 + (radius / 1e4) * Math.sin(angle)).toFixed(5)),
    ]
  }),
)
const anyArea = fc.record({
  areaDesc: nonEmptyText,
  polygons: fc.array(star, { maxLength: 2 }),
  circles: fc.array(
    fc.record({
      lat: fc.integer({ min: -8999, max: 8999 }).map((at) => at / 100),
      lon: fc.integer({ min: -17999, max: 17999 }).map((at) => at / 100),
      km: fc.integer({ min: 0, max: 9999 }).map((km) => km / 10),
    }),
    { maxLength: 2 },
  ),
  geocodes: fc.array(named, { maxLength: 2 }),
  altitude: fc.constant(10),
  ceiling: fc.constantFrom(null, 2000),
})
const anyInfo = fc.record({
  language: word(['en-US', 'es', 'fr-CA']),
  categories: fc.uniqueArray(word(vocabulary.category), { minLength: 1, maxLength: 3 }),
  event: nonEmptyText,
  responseTypes: fc.uniqueArray(word(vocabulary.responseType), { maxLength: 2 }),
  urgency: word(vocabulary.urgency),
  severity: word(vocabulary.severity),
  certainty: word(vocabulary.certainty),
  ...{ audience: line, eventCodes: fc.array(named, { maxLength: 2 }), effective: fc.oneof(fc.constant(''), time) },
  ...{ onset: fc.constant(''), expires: fc.constant('2028-01-01T00:00:00-05:00') },
  ...{ senderName: line, headline: line, description: line, instruction: line, contact: line },
  web: fc.constantFrom('', 'https://maplegrove.example/alerts?a=1&b=<2>'),
  parameters: fc.array(named, { maxLength: 2 }),
  resources: fc.array(
    fc.record({ resourceDesc: nonEmptyText, mimeType: fc.constant('image/png'), uri: fc.constant('') }),
    {
      maxLength: 1,
    },
  ),
  areas: fc.array(anyArea, { minLength: 1, maxLength: 2 }),
})
const anyAlert: fc.Arbitrary<CapAlert> = fc.record({
  ...{ identifier: name, sender: name, sent: time },
  status: word(vocabulary.status),
  msgType: word(vocabulary.msgType),
  ...{
    source: line,
    scope: word(vocabulary.scope),
    restriction: nonEmptyText,
    addresses: nonEmptyText,
    note: nonEmptyText,
    incidents: line,
  },
  codes: fc.array(nonEmptyText, { maxLength: 2 }),
  references: fc.array(fc.record({ sender: name, identifier: name, sent: fc.constant('2025-12-31T00:00:00-05:00') }), {
    minLength: 1,
    maxLength: 3,
  }),
  infos: fc.uniqueArray(anyInfo, { minLength: 1, maxLength: 2, selector: ({ event, language }) => event + language }),
})

async function schemaMistakes(xml: string): Promise<string> {
  const { XmlDocument, XsdValidator } = await import('libxml2-wasm')
  using schema = XmlDocument.fromString(readFileSync(SCHEMA, 'utf8'))
  using validator = XsdValidator.fromDoc(schema)
  using document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('CAP message', () => {
  test('is unchanged after writing and reading', () => {
    fc.assert(
      fc.property(anyAlert, (some) => {
        expect(readCap(writeCap(some))).toEqual(some)
      }),
      { numRuns: process.env['NIGHTLY'] ? 3000 : 150 },
    )
  })

  test.runIf(hasSchema)('is valid against the extended schema with any content', async () => {
    expect(await schemaMistakes(writeCap(alert))).toBe('')
    expect(await schemaMistakes(writeCap({ ...alert, sent: '2026-11-20T12:00:00Z' }))).toMatch(/sent/)
    for (const some of fc.sample(anyAlert, { numRuns: process.env['NIGHTLY'] ? 500 : 40, seed: 7 }))
      expect(await schemaMistakes(writeCap(some))).toBe('')
  })

  test('has times in the company’s time zone in summer and winter', () => {
    expect(capTime(new Date('2026-07-04T16:00:00Z'), 'America/New_York')).toBe('2026-07-04T12:00:00-04:00')
    expect(capTime(new Date('2026-12-04T05:00:00Z'), 'America/New_York')).toBe('2026-12-04T00:00:00-05:00')
    expect(capTime(new Date('2026-12-04T05:00:00Z'), 'UTC')).toBe('2026-12-04T05:00:00-00:00')
  })

  test('is read with prefix, byte order mark, comments, XML entities and CDATA', () => {
    const xml = writeCap(alert)
      .replaceAll(/<(\/?)(\w+)/g, '<$1cap:$2')
      .replace('xmlns=', 'xmlns:cap=')
      .replace('<cap:senderName>Maple Grove<', '<cap:senderName><!-- the town --><![CDATA[Maple Grove]]><')
      .replace('Boil water advisory', '&#66;oil &#x77;ater')
    expect(readCap(`\uFEFF${xml}`)).toEqual(alert)
  })

  test.runIf(process.env['NIGHTLY'] && existsSync('/usr/bin/xmllint') && hasSchema)(
    'is read by an independent parser',
    () => {
      const file = join(mkdtempSync(join(tmpdir(), 'cap-')), 'alert.xml')
      writeFileSync(file, writeCap(alert))
      execFileSync('/usr/bin/xmllint', ['--noout', '--schema', SCHEMA, file], { stdio: 'pipe' })
      const read = execFileSync('/usr/bin/xmllint', ['--xpath', 'string(//*[local-name()="description"])', file])
      expect(read.toString().trim()).toBe(info.description)
    },
  )
})

describe('refused message', () => {
  const xml = writeCap(alert)
  const swap = (from: string | RegExp, to: string) => xml.replace(from, to)
  const element = (tag: string) => new RegExp(`<${tag}>[^]*?</${tag}>`)
  const polygon = (text: string) => swap(element('polygon'), `<polygon>${text}</polygon>`)
  const circleOf = (corners: number) =>
    Array.from({ length: corners + 1 }, (_, at) => 2 * Math.PI * ((at % corners) / corners))
      .map((angle) => `${(40 + Math.sin(angle)).toFixed(6)},${(Math.cos(angle) - 76).toFixed(6)}`)
      .join(' ')
  const invalidMessages: Record<CapReason, string> = {
    too_large: xml + ' '.repeat(2_000_000) + xml,
    entities: `<!DOCTYPE alert [<!ENTITY a "b">]>${xml}`,
    not_xml: xml.slice(0, -20),
    names: swap('<info>', '<__proto__>x</__proto__><info>'),
    characters: swap(element('event'), '<event>Flood\0</event>'),
    not_cap: swap('emergency:cap:1.2', 'emergency:cap:1.0'),
    too_many: swap('<code>', '<code>x</code>\n'.repeat(101) + '<code>'),
    identifier: swap('maplegrove-A-1001', 'A 1001'),
    sender: swap(element('sender'), ''),
    sent: swap('<sent>2026-11-20T07:00:00-05:00', '<sent>2026-11-20T12:00:00Z'),
    status: swap('Actual', 'Real'),
    msgType: swap('<msgType>Alert', '<msgType>Alarm'),
    scope: swap('Public', 'Everyone'),
    restriction: swap('Public', 'Restricted'),
    addresses: swap('Public', 'Private'),
    note: swap('Actual', 'Exercise'),
    references_missing: swap('<msgType>Alert', '<msgType>Cancel'),
    references: swap('<info>', '<references>A-1000</references>\n<info>'),
    references_later: swap('<info>', '<references>a@b.example,A-1,2026-11-21T07:00:00-05:00</references>\n<info>'),
    info: swap(element('info'), ''),
    language: swap('en-US', 'English, American'),
    language_twice: swap(element('info'), `${element('info').exec(xml)?.[0]}${element('info').exec(xml)?.[0]}`),
    category: swap('Infra', 'Water'),
    event: swap(element('event'), '<event> </event>'),
    responseType: swap('Avoid', 'Run'),
    urgency: swap('<urgency>Immediate', '<urgency>Now'),
    severity: swap(element('severity'), ''),
    certainty: swap('Observed', 'Sure'),
    eventCode: swap('<value>CEM</value>', ''),
    parameter: swap('<valueName>layer:town:zone</valueName>', ''),
    effective: swap('<effective>2026', '<effective>26'),
    onset: swap('<expires>', '<onset>soon</onset>\n<expires>'),
    expires: swap(element('expires'), ''),
    expires_early: swap('2026-11-20T19', '2026-11-20T05'),
    onset_late: swap('<expires>', '<onset>2026-11-21T07:00:00-05:00</onset>\n<expires>'),
    web: swap('https://maplegrove', 'maplegrove'),
    resource: swap('<area>', '<resource><resourceDesc>Map</resourceDesc></resource><area>'),
    area: swap(element('area'), ''),
    areaDesc: swap(element('areaDesc'), ''),
    polygon: polygon('40,-76 north,-76 40,-75 40,-76'),
    polygon_long: polygon(circleOf(5001)),
    polygons_long: swap(element('polygon'), `<polygon>${circleOf(4800)}</polygon>`.repeat(5)),
    polygon_short: polygon('40,-76 41,-76 40,-76'),
    polygon_open: polygon('40,-76 41,-76 41,-75 40,-75'),
    polygon_crossing: polygon('40,-76 41,-75 41,-76 40,-75 40,-76'),
    circle: swap('<geocode>', '<circle>40,-76</circle><geocode>'),
    geocode: swap('<value>042041</value>', '<value></value>'),
    altitude: swap('</area>', '<altitude>high</altitude></area>'),
    ceiling: swap('</area>', '<ceiling>2000</ceiling></area>'),
  }

  test.each(Object.entries(invalidMessages) as [CapReason, string][])(
    'is refused with the name of its error: %s',
    (reason, text) => {
      let thrown: unknown
      try {
        readCap(text)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(CapRefused)
      expect(thrown).toMatchObject({ reason, message: refusals[reason] })
    },
  )

  test('refuses any other text in no other way', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => xml.replace(/>[^<]+</, `>${text}<`)),
        ),
        (text) => {
          try {
            readCap(text)
          } catch (error) {
            expect(error).toBeInstanceOf(CapRefused)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('border with fewer corners', () => {
  /** True if a position is inside a border, by the winding number. The portal's own areas use a different rule. */
  function isInside(ring: readonly Position[], [x, y]: Position): boolean {
    let winds = 0
    for (const [at, [ax, ay]] of ring.entries()) {
      const [bx, by] = ring[(at + 1) % ring.length] as Position
      const left = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
      if (ay <= y && by > y && left > 0) winds += 1
      if (ay > y && by <= y && left < 0) winds -= 1
    }
    return winds !== 0
  }
  const areaOf = (ring: readonly Position[]): number =>
    Math.abs(
      ring.reduce((sum, [ax, ay], at) => {
        const [bx, by] = ring[(at + 1) % ring.length] as Position
        return sum + ax * by - bx * ay
      }, 0) / 2,
    )
  /** Returns a coastline around a center. With more corners, the coastline is rougher. */
  function coast(many: number, seed: number): Position[] {
    const random = randomFrom(seed)
    const rough = 2 / Math.sqrt(many)
    let far = 1
    return Array.from({ length: many }, (_, at): Position => {
      far = Math.min(1.6, Math.max(0.5, far + (random.next() - 0.5) * rough))
      const angle = (2 * Math.PI * at) / many
      return [-76.9 + 0.05 * far * Math.cos(angle), 40.2 + 0.04 * far * Math.sin(angle)]
    })
  }

  test.each(process.env['NIGHTLY'] ? [8, 60, 600, 6208, 9000] : [8, 600])(
    'covers the whole original area: %i corners',
    (many) => {
      for (const turned of process.env['NIGHTLY'] ? [false, true] : [many % 3 === 0]) {
        const ring = turned ? coast(many, many).toReversed() : coast(many, many)
        const few = simplified(ring)
        expect(few.length).toBeLessThanOrEqual(Math.min(MAX_CORNERS, many))
        expect(few.length).toBeGreaterThanOrEqual(4)
        expect(areaOf(few)).toBeLessThan(areaOf(ring) * (many > 8000 ? 3 : 1.6))
        const random = randomFrom(many + 1)
        let [inside, outside] = [0, 0]
        const points = process.env['NIGHTLY'] || many < 100 ? 10_000 : 1500
        for (let index = 0; index < points; index += 1) {
          const at: Position = [-77 + 0.2 * random.next(), 40.1 + 0.2 * random.next()]
          if (!isInside(ring, at)) continue
          inside += 1
          if (!isInside(few, at)) outside += 1
        }
        expect(inside).toBeGreaterThan(points / 10)
        expect(outside).toBe(0)
        // Reads the written message again, which proves that the border does not cross itself.
        const written = writeCap({ ...alert, infos: [{ ...info, areas: [{ ...area, polygons: [few] }] }] })
        expect(readCap(written).infos[0]?.areas[0]?.polygons[0]).toHaveLength(few.length)
      }
    },
  )

  test('covers a circle of 20,000 corners with 64 sides', () => {
    const circle = Array.from({ length: 20_000 }, (_, at): Position => {
      const angle = (2 * Math.PI * at) / 20_000
      return [-76.9 + 0.05 * Math.cos(angle), 40.2 + 0.04 * Math.sin(angle)]
    })
    const few = simplified(circle)
    expect(few.length).toBeLessThanOrEqual(MAX_CORNERS)
    expect(areaOf(few) / areaOf(circle)).toBeLessThan(1.01)
    for (const border of [few, roughly(circle)])
      expect(circle.filter((corner) => !isInside(border, corner))).toEqual([])
  })

  test('keeps borders with few corners, even a comb with close teeth', () => {
    const square = area.polygons[0] as Position[]
    expect(simplified(square)).toEqual(square)
    const teeth = Array.from({ length: 80 }, (_, at): Position[] => [
      [-76.9 + at * 0.001, 40.2],
      [-76.9 + at * 0.001, 40.3],
      [-76.9 + at * 0.001 + 0.0009, 40.3],
      [-76.9 + at * 0.001 + 0.0009, 40.2],
    ]).flat()
    const comb: Position[] = [...teeth, [-76.81, 40.1], [-76.91, 40.1]]
    const few = simplified(comb)
    expect(few.length).toBeLessThanOrEqual(MAX_CORNERS)
    for (let at = 0; at < 80; at += 1)
      for (const lat of [40.11, 40.2001, 40.2999]) expect(isInside(few, [-76.9 + at * 0.001 + 0.00045, lat])).toBe(true)
  })
})
