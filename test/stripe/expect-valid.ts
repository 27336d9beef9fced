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

/**
 * Path of Stripe's own OpenAPI description, which is not part of the project. If the file is missing, its tests are
 * skipped.
 */
const DESCRIPTION = fileURLToPath(new URL('../../../shared/data/stripe-openapi-2023-08-pruned.json', import.meta.url))
export const hasDescription = existsSync(DESCRIPTION)

const root = fileURLToPath(new URL('../..', import.meta.url))
const TYPES = join(root, 'test/stripe/requests.ts')

export const sdkVersion = (
  JSON.parse(readFileSync(join(root, 'node_modules/stripe/package.json'), 'utf8')) as { version: string }
).version

/**
 * Routes of card readers, which are missing in the OpenAPI description. Their requests are checked only against the
 * SDK's types.
 */
const UNDESCRIBED = / \/v1\/terminal\//

/**
 * Returns the route of a request with the names of its parameters. Requests that differ only in their values are
 * checked once.
 */
const shapeOf = ({ route, url, body }: Request) =>
  `${route} ${[...`${url.split('?')[1] ?? ''}&${body}`.matchAll(/(?:^|&)([^=&]+)=/g)].map(([, name]) => name).join(' ')}`
const distinct = (requests: readonly Request[]) => [
  ...new Map(requests.map((request) => [shapeOf(request), request])).values(),
]

/**
 * Builds JSON Schemas from the SDK's parameter types. This takes some seconds, so the result is cached for each SDK
 * version.
 */
function schemaOfTypes(): { definitions: Record<string, object> } {
  const source = readFileSync(TYPES)
  const version = createHash('sha256').update(source).update(sdkVersion).digest('hex').slice(0, 16)
  const folder = join(root, 'node_modules/.cache/mainstreet')
  const cacheFile = join(folder, `stripe-requests-${version}.json`)
  if (existsSync(cacheFile)) return JSON.parse(readFileSync(cacheFile, 'utf8')) as ReturnType<typeof schemaOfTypes>
  const made = createGenerator({
    ...{ path: TYPES, tsconfig: join(root, 'tsconfig.json'), type: 'Requests', skipTypeCheck: true },
    ...{ additionalProperties: false, jsDoc: 'none' },
  }).createSchema('Requests')
  mkdirSync(folder, { recursive: true })
  // Writes atomically, because other test files may write the cache at the same moment.
  writeFileSync(`${cacheFile}.${process.pid}`, JSON.stringify(made))
  renameSync(`${cacheFile}.${process.pid}`, cacheFile)
  return made as ReturnType<typeof schemaOfTypes>
}

/** Checks requests against the SDK's types. Returns one sentence for each invalid request. */
export function errorsByTypes(requests: readonly Request[]): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: true })
  ajv.addSchema(schemaOfTypes(), 'stripe')
  const validators = new Map<string, ValidateFunction | null>()
  const validatorOf = (route: string) => {
    if (!validators.has(route)) {
      const pointer = `stripe#/definitions/Requests/properties/${encodeURIComponent(route.replaceAll('~', '~0').replaceAll('/', '~1'))}`
      const isTyped = JSON.stringify(schemaOfTypes().definitions['Requests']).includes(JSON.stringify(route))
      validators.set(route, isTyped ? ajv.compile({ $ref: pointer }) : null)
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

/** Removes the response descriptions, which are slow to parse and define most of the schemas. */
function requestsOf(description: Description): object {
  for (const verbs of Object.values(description.paths))
    for (const verb of Object.values(verbs)) verb.responses = { default: { description: 'whatever it may be' } }
  delete description.components
  return { ...description, servers: [{ url: '/' }] }
}

/**
 * Checks requests against Stripe's OpenAPI description and lists the errors. Each request goes to a local server that
 * only validates it.
 */
export async function errorsByDescription(requests: readonly Request[]): Promise<string[]> {
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
      // Numbers and dates are checked only for their type.
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
  const errors: string[] = []
  for (const { method, url, body, route } of distinct(requests.filter((one) => !UNDESCRIBED.test(one.route)))) {
    const content = method === 'GET' ? {} : { body }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(origin + url, { method, headers: method === 'GET' ? {} : headers, ...content })
    if (!reply.ok) errors.push(`${route} ${decodeURIComponent(url.split('?')[1] ?? body)}: ${await reply.text()}`)
  }
  await new Promise((resolve) => server.close(resolve))
  return errors
}
