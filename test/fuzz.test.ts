import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { readNachaFile } from '../bankfile/nacha/read-file.ts'
import type { ParsedSource } from '../features/alerts/cap/source-parser.ts'
import { Refusal } from '../server/errors.ts'
import { validateFile } from '../server/attachments/validate.ts'
import { defineColumns } from '../server/columns.ts'
import { daysOfRule } from '../server/days-of-rule.ts'
import { FileRefused } from '../server/file-refused.ts'
import { readPdfForm } from '../server/acroform/forms.ts'
import { parseFailures, parserOf, rowParserOf } from '../server/parse.ts'
import { validateMap } from '../server/places/map-file.ts'
import { tableRows } from '../server/table-rows.ts'
import type { CompanyId } from '../server/tenancy.ts'
import { type FileRules, JPEG, PDF, PNG, WORD } from '../shared/file-types.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import { type RepeatRule, repeats, ruleOf } from '../shared/repeats.ts'
import { bai2 } from './bai2.ts'
import { testFolder, testPortal } from './harness.ts'
import { aMapFile } from './map-file.ts'
import { seed } from './seed.ts'

/** Number of damaged inputs for each parser. */
const INPUTS = process.env['NIGHTLY'] ? 10_000 : 200
/** Maximum growth of the process's memory while one parser reads its damaged files, in bytes. */
const MAX_BYTES = 300 * 1024 ** 2
/**
 * Maximum processor time for one input over all threads, in milliseconds. Clock time would also count waiting on a busy
 * machine.
 */
const MAX_CPU_MS = 2000

const feature = (name: string, at: number) => ({
  type: 'Feature',
  properties: { name, kind: 'Zone' },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [at, 40],
        [at + 1, 40],
        [at + 1, 41],
        [at, 41],
        [at, 40],
      ],
    ],
  },
})
const CSV = 'number,street,zip,lat,lon\n1,"Oak, Street",17011,40.1,-76.9\n2,Elm Street,17011,40.2,-76.8\n'
const GEOJSON = JSON.stringify({ type: 'FeatureCollection', features: [feature('A', -77), feature('B', -76)] })
const CAP = `<?xml version="1.0"?><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A-1</identifier><sender>a@b.example</sender>
<sent>2026-11-20T07:00:00-05:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope><info><category>Met</category>
<event>Flood</event><urgency>Immediate</urgency><severity>Severe</severity><certainty>Observed</certainty>
<expires>2026-11-20T19:00:00-05:00</expires><area><areaDesc>River</areaDesc><polygon>40,-77 41,-77 41,-76 40,-77</polygon></area></info></alert>`
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://a.example/1</id><link type="application/cap+xml" href="/1.xml"/></entry></feed>`
const RSS = `<rss version="2.0"><channel><item><link>https://a.example/1</link></item></channel></rss>`
const UPDATES = `<service_request_updates><request_update><update_id>1</update_id><service_request_id>2</service_request_id>
<status>open</status></request_update></service_request_updates>`
const PDF_FILE = Buffer.from(
  `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF`,
)
const filesIn = (folder: string, ending: string): Buffer[] =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, import.meta.url)))
const FORMS = filesIn('../server/acroform/fixtures', '.pdf')
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const WORKBOOKS = filesIn('../server/workbooks', '.xlsx')
const BANK_FILES = filesIn('../bankfile/nacha/fixtures', '.ach')
const RULE = JSON.stringify({ unit: 'month', every: 2, weekdays: [1, 4], by: 'weekday', until: '2027-11-30' })
const RECORD = JSON.stringify({
  ...{ format: 'mainstreet-record', version: 1, kind: 'form', settings: { title: 'Dog license' } },
  questions: { steps: [{ ...blankStep('dog'), title: 'The dog', fields: [blankField('text', 'breed')] }] },
})
const zip = (parts: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]))))
const DOCX = zip({
  '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`,
  'word/document.xml': '<w:document><w:body/></w:document>',
})

/**
 * Tokens that break parsers: brackets and tags without an end, numbers that are too large, and names of inherited
 * properties.
 */
const TOKENS = [
  ...['[', '{', '"', '<alert ', '<a', '</', '<!DOCTYPE a [', '&#0;', '&lt;', '<!--', '<![CDATA[', '\0', '\uFFFD'],
  ...[
    '88,',
    '16,',
    '/',
    ',',
    '\n',
    '\r',
    ' ',
    '9'.repeat(40),
    '1e999',
    '-',
    'NaN',
    '__proto__',
    'constructor',
    '<<',
    '>>',
  ],
  ...[' 0 obj', 'endobj', '/Kids [1 0 R]', 'PK\u0003\u0004', '\u00FF\u00FF\u00FF\u007F', '%PDF-', '.', ';', '=', '@'],
].map((token) => Buffer.from(token, 'latin1'))

/**
 * Damage to a file: bytes are changed, removed, repeated or inserted. `where` is the position as a fraction of the
 * file's length.
 */
const damage = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'drop', 'double', 'insert', 'flood'),
  where: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 200 }),
  byte: fc.integer({ min: 0, max: 255 }),
  token: fc.constantFrom(...TOKENS),
})
type InputDamage = typeof damage extends fc.Arbitrary<infer One> ? One : never

function damaged(file: Buffer, { kind, where, length, byte, token }: InputDamage): Buffer {
  const at = Math.floor(where * file.length)
  const [before, after] = [file.subarray(0, at), file.subarray(at)]
  const flood = () => Buffer.concat(Array.from({ length: 50 * length }, () => token))
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
    case 'cut':
      return before
    case 'drop':
      return Buffer.concat([before, after.subarray(length)])
    case 'double':
      return Buffer.concat([before, after.subarray(0, length), after])
    case 'insert':
      return Buffer.concat([before, token, after])
    default:
      return Buffer.concat([before, flood(), after])
  }
}

const all = async (rows: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of rows);
}
const file: FileRules = {
  accepts: [PDF, WORD, PNG, JPEG],
  maxBytes: 5e6,
  maxFiles: 5,
  unsupportedType: 'Another.',
  unnamed: 'file',
  kind: 'fuzz',
}
const checked = (content: Buffer) => validateFile({ ...file, keepsPosition: true }, { name: 'a', content })

const capFile = new URL('../features/alerts/cap/source-parser.ts', import.meta.url)
const parseSource = parserOf<[text: string, base: string], ParsedSource>(capFile, 'parseSource')
const readUpdates = parserOf<[text: string], unknown>(
  new URL('../features/open311/server/portal-responses.ts', import.meta.url),
  'rowsIn',
)
const readBai2 = parserOf<[text: string], unknown>(
  new URL('../features/reconciliation/server/bai2.ts', import.meta.url),
  'readBai2',
)
const readRecord = parserOf<[text: string], unknown>(
  new URL('../features/shared-records/server/read-file.ts', import.meta.url),
  'readRecordFile',
)
const unpack = rowParserOf<[folder: string], string>(
  new URL('../features/billing-files/server/unpack.ts', import.meta.url),
  'unpack',
)
const portal = await testPortal()
const folder = testFolder()

const image = (kind: 'png' | 'jpeg') =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#8a1c3c' } })
    [kind]()
    .toBuffer()

/** Creates a photo with a location. */
const photo = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#1c3c8a' } })
    .jpeg()
    .withExif({
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 12/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '76/1 54/1 0/1' },
    })
    .toBuffer()

const lat = { title: 'Latitude', aliases: 'lat' }
const anyColumns = defineColumns('fuzz', { needs: [], columns: { lat } })
const needsLat = defineColumns('fuzz', { needs: ['lat'], columns: { lat } })

/** All parsers of the product, each with valid files to damage. */
const parsers: Record<string, { files: readonly (Buffer | string)[]; read: (content: Buffer) => unknown }> = {
  CSV: { files: [CSV], read: (content) => all(tableRows(Readable.from([content]), anyColumns)) },
  'CSV of places': { files: [CSV], read: (content) => all(tableRows(Readable.from([content]), needsLat)) },
  GeoJSON: { files: [GEOJSON], read: (content) => all(tableRows(Readable.from([content]), anyColumns)) },
  workbook: { files: WORKBOOKS, read: (content) => all(tableRows(Readable.from([content]), anyColumns)) },
  PMTiles: {
    files: [aMapFile({ lat: 40.2, lon: -76.9 })],
    read: (content) => {
      const path = join(folder, 'map.pmtiles')
      writeFileSync(path, content)
      return validateMap(1 as CompanyId, path)
    },
  },
  PDF: { files: [PDF_FILE, ...FORMS], read: checked },
  'fields of a PDF': {
    files: FORMS,
    read: async (content) => {
      const form = await readPdfForm('', content)
      if (form.kind === 'refused') throw new FileRefused(form.message)
    },
  },
  image: { files: [await image('png'), await image('jpeg'), await photo()], read: checked },
  docx: { files: [DOCX], read: checked },
  zip: {
    files: [zip({ 'bills.csv': CSV, '1.pdf': 'x'.repeat(500) })],
    read: (content) => all(unpack(Readable.from([content]), folder)),
  },
  BAI2: {
    files: [bai2([{ day: '261124', lines: [{ code: '165', cents: 1000, text: 'DEPOSIT' }] }])],
    read: (content) => readBai2('', content.toString('utf8')),
  },
  NACHA: {
    files: BANK_FILES,
    read: (content) => {
      const [problem] = readNachaFile(content).problems
      if (problem) throw new FileRefused(problem.message)
    },
  },
  CAP: { files: [CAP, `<alerts>${CAP.replace(/<\?.*?\?>/, '')}</alerts>`], read: (content) => sourceIn(content) },
  'Atom and RSS': { files: [ATOM, RSS], read: (content) => sourceIn(content) },
  'XML and JSON of other servers': {
    files: [UPDATES, '[{"update_id":1,"service_request_id":{"value":2}}]'],
    read: (content) => readUpdates('', content.toString('utf8')),
  },
  'JSON of a record': { files: [RECORD], read: (content) => readRecord('', content.toString('utf8')) },
  'JSON bodies': {
    files: ['{"subdomain":"maplegrove","answers":{"a":[1,{"b":"c"}]}}'],
    read: async (content) => {
      const { statusCode, body } = await portal.app.inject({
        method: 'POST',
        url: '/api/v2/return/company/id',
        headers: { host: 'maplegrove.localhost', 'content-type': 'application/json' },
        payload: content,
      })
      if (statusCode >= 500) throw new Error(body)
      if (statusCode >= 400) throw new FileRefused(body)
    },
  },
  'ICS rules': {
    files: [RULE],
    read: (content) => {
      const rule = ruleIn(content.toString('utf8'))
      if (!rule) throw new FileRefused('not a rule')
      expect(daysOfRule(ruleOf(rule, '2026-11-24'), '2026-11-24', '2026-11-24', 20).length).toBeLessThanOrEqual(20)
    },
  },
}

/** Parses a rule from damaged JSON. Returns undefined if the text is not JSON or the call's schema rejects it. */
function ruleIn(text: string): RepeatRule | undefined {
  try {
    return repeats.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const sourceIn = (content: Buffer) => parseSource('', content.toString('utf8'), 'https://a.example/feed')
const isRefusal = (error: unknown) => error instanceof FileRefused || (error instanceof Refusal && error.status < 500)

let [before, peak] = [0, 0]
beforeEach(() => {
  before = process.memoryUsage().rss
  peak = before
})

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
/** Describes an input that caused a failure. Includes the seed that reproduces the failure. */
const describeInput = (input: Buffer) => `SEED=${seed}: ${JSON.stringify(input.toString('latin1').slice(0, 500))}`

test.each(Object.entries(parsers))(
  'reads or refuses damaged input: %s',
  async (name, { files, read }) => {
    const inputs = fc.sample(fc.tuple(fc.constantFrom(...files), fc.array(damage, { minLength: 1, maxLength: 4 })), {
      numRuns: INPUTS,
      seed,
    })
    let [refused, slowest] = [0, 0]
    const failed: unknown[] = []
    parseFailures.report = (failure) => void failed.push(failure)
    for (const [content, damages] of inputs) {
      const input = damages.reduce(damaged, Buffer.from(content))
      const used = process.cpuUsage()
      try {
        await read(input)
      } catch (error) {
        if (!isRefusal(error)) throw new Error(describeInput(input), { cause: error })
        refused += 1
      }
      const { user, system } = process.cpuUsage(used)
      slowest = Math.max(slowest, (user + system) / 1000)
      peak = Math.max(peak, process.memoryUsage().rss)
      if (failed.length > 0) throw new Error(describeInput(input), { cause: failed[0] })
    }
    process.stdout.write(
      `${name}: ${refused} of ${INPUTS} refused, the slowest ${slowest.toFixed()} ms of processor time, memory gained at most ${megabytes(peak - before)}\n`,
    )
    expect(refused).toBeGreaterThan(0)
    expect(slowest).toBeLessThan(MAX_CPU_MS)
    expect(peak - before).toBeLessThan(MAX_BYTES)
  },
  process.env['NIGHTLY'] ? 3_600_000 : 120_000,
)

test('finds the days of every rule that a form allows', () => {
  const rules = fc.record({
    unit: fc.constantFrom('day', 'week', 'month', 'year'),
    every: fc.integer({ min: 1, max: 366 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
    by: fc.constantFrom('day', 'weekday'),
    until: fc.constantFrom('', '2026-11-30', '2026-01-01', '2199-12-31'),
  })
  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(rules, days, (rule, day) => {
      const startsOn = day.toISOString().slice(0, 10)
      const dates = daysOfRule(ruleOf(repeats.parse(rule), startsOn), startsOn, startsOn, 20)
      expect(dates.length).toBeLessThanOrEqual(20)
    }),
    { numRuns: INPUTS, seed },
  )
})
