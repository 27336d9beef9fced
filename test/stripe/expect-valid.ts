import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import express, { type ErrorRequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import qs from 'qs'
import { createGenerator } from 'ts-json-schema-generator'
import type { Request } from './recorded-stripe.ts'

/** Stripe's own description of its interface, which is not part of the project: without it its tests are skipped. */
const DESCRIPTION = fileURLToPath(new URL('../../../shared/data/stripe-openapi-2023-08-pruned.json', import.meta.url))
export const hasDescription = existsSync(DESCRIPTION)

const root = fileURLToPath(new URL('../..', import.meta.url))
const TYPES = join(root, 'test/stripe/requests.ts')

/** The version of the SDK that is installed. */
export const sdkVersion = (
  JSON.parse(readFileSync(join(root, 'node_modules/stripe/package.json'), 'utf8')) as { version: string }
).version

/** Of card readers the part of the description that we have says nothing: the types alone judge those requests. */
const UNDESCRIBED = / \/v1\/terminal\//

/** Requests that differ in their values alone are looked at once. */
const shapeOf = ({ route, url, body }: Request) =>
  `${route} ${[...`${url.split('?')[1] ?? ''}&${body}`.matchAll(/(?:^|&)([^=&]+)=/g)].map(([, name]) => name).join(' ')}`
const distinct = (requests: readonly Request[]) => [
  ...new Map(requests.map((request) => [shapeOf(request), request])).values(),
]

/** JSON Schemas of the SDK's parameter types: made once for a version of it, which takes some seconds, and kept. */
function schemaOfTypes(): { definitions: Record<string, object> } {
  const source = readFileSync(TYPES)
  const version = createHash('sha256').update(source).update(sdkVersion).digest('hex').slice(0, 16)
  const folder = join(root, 'node_modules/.cache/mainstreet')
  const kept = join(folder, `stripe-requests-${version}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as ReturnType<typeof schemaOfTypes>
  const made = createGenerator({
    ...{ path: TYPES, tsconfig: join(root, 'tsconfig.json'), type: 'Requests', skipTypeCheck: true },
    ...{ additionalProperties: false, jsDoc: 'none' },
  }).createSchema('Requests')
  mkdirSync(folder, { recursive: true })
  // Whole or not at all: other files of tests may make it at the same moment.
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(made))
  renameSync(`${kept}.${process.pid}`, kept)
  return made as ReturnType<typeof schemaOfTypes>
}

/** What is wrong with these by the types of the SDK: a sentence for each request. */
export function wrongByTypes(requests: readonly Request[]): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true })
  ajv.addSchema(schemaOfTypes(), 'stripe')
  const validators = new Map<string, ValidateFunction | null>()
  const validatorOf = (route: string) => {
    if (!validators.has(route)) {
      const pointer = `stripe#/definitions/Requests/properties/${encodeURIComponent(route.replaceAll('~', '~0').replaceAll('/', '~1'))}`
      const known = JSON.stringify(schemaOfTypes().definitions['Requests']).includes(JSON.stringify(route))
      validators.set(route, known ? ajv.compile({ $ref: pointer }) : null)
    }
    return validators.get(route) ?? null
  }
  return distinct(requests).flatMap((request) => {
    const validate = validatorOf(request.route)
    if (!validate) return [`${request.route}: no type says what it may have`]
    const sent = qs.parse(request.method === 'GET' ? (request.url.split('?')[1] ?? '') : request.body)
    return validate(sent) ? [] : [`${request.route} ${JSON.stringify(sent)}: ${ajv.errorsText(validate.errors)}`]
  })
}

interface Description {
  paths: Record<string, Record<string, { responses: object }>>
  components?: object
}

/** Without what it says of answers, which takes long to read: the shapes that it names are all of these. */
function requestsOf(description: Description): object {
  for (const verbs of Object.values(description.paths))
    for (const verb of Object.values(verbs)) verb.responses = { default: { description: 'whatever it may be' } }
  delete description.components
  return { ...description, servers: [{ url: '/' }] }
}

/** The same by Stripe's description: each is sent to a server that does nothing but look at it. */
export async function wrongByDescription(requests: readonly Request[]): Promise<string[]> {
  const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as Description
  const app = express()
  app.set('query parser', (text: string) => qs.parse(text))
  app.use(express.urlencoded({ extended: true }))
  app.use(
    middleware({
      apiSpec: requestsOf(description) as never,
      ...{
        validateSecurity: false,
        validateApiSpec: false,
        validateResponses: false,
        validateRequests: { coerceTypes: true },
      },
      // Of numbers and days nothing more is asked than what they are.
      formats: {
        'unix-time': { type: 'number', validate: () => true },
        decimal: { type: 'string', validate: () => true },
      },
    }),
  )
  app.use((_request, response) => void response.json({}))
  const complain: ErrorRequestHandler = (error, _request, response, _next) =>
    void response.status(error.status ?? 500).json({ message: error.message })
  app.use(complain)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const wrong: string[] = []
  for (const { method, url, body, route } of distinct(requests.filter((one) => !UNDESCRIBED.test(one.route)))) {
    const content = method === 'GET' ? {} : { body }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(origin + url, { method, headers: method === 'GET' ? {} : headers, ...content })
    if (!answer.ok) wrong.push(`${route} ${decodeURIComponent(url.split('?')[1] ?? body)}: ${await answer.text()}`)
  }
  await new Promise((resolve) => server.close(resolve))
  return wrong
}
