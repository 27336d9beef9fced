import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'

const failure = {
  type: 'object',
  required: ['success', 'message', 'msg', 'code'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    msg: { type: 'string' },
    code: { type: 'string' },
    details: { type: 'object' },
  },
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const schemaOf = (type: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    ...{ target: 'draft-2020-12', io, unrepresentable: 'any' },
    // Lists the required keys of a record as properties, because generated clients need their names.
    override: ({ jsonSchema }) => {
      const { required = [], additionalProperties } = jsonSchema
      if (typeof additionalProperties !== 'object') return
      for (const name of required) (jsonSchema.properties ??= {})[name] ??= additionalProperties
    },
  })
  return schema
}

/** Builds the OpenAPI 3.1 document of all calls from their declarations. `x-access` names the permitted callers. */
export function openApi(calls: readonly Endpoint[], version: string) {
  return {
    openapi: '3.1.0',
    info: { title: 'Mainstreet', version },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      responses: { Failure: { description: 'The call failed; `message` says why', ...json(failure) } },
    },
    paths: Object.fromEntries(
      calls.map((call) => [CALL_PREFIX + call.path, { [call.method.toLowerCase()]: operation(call) }]),
    ),
  }
}

const bodyOf = (call: Endpoint) =>
  call.takes === 'json'
    ? json(schemaOf(call.body, 'input'))
    : { required: true, content: { 'multipart/form-data': { schema: uploadOf(call) } } }

type ObjectSchema = { type?: string; properties?: Record<string, unknown>; required?: string[] }

const file = {
  type: 'string',
  format: 'binary',
  description: 'The file, after all other fields',
}
const upload = {
  type: 'string',
  pattern: '^[0-9a-f]{32}$',
  description: 'In place of `file`: the key under which a file was sent in parts (`start/upload/…`)',
}
const company = { type: 'string', description: 'Id of the municipality; only needed on the host of the administrator' }

/** Builds the form fields of a call that accepts a file. Every field is text, and the file comes last. */
function uploadOf(call: Endpoint) {
  const { properties = {}, required = [] } = schemaOf(call.body, 'input') as ObjectSchema
  const { companyId, ...fields } = properties
  const all = { ...(companyId !== undefined && { company }), ...fields }
  const needed = required.filter((name) => name !== 'companyId')
  const common = { type: 'object', properties: { ...all, file }, required: [...needed, 'file'] }
  if (!call.files) return common
  return {
    ...{ type: 'object', properties: { ...all, file, upload }, required: needed },
    oneOf: [
      { properties: { file }, required: ['file'] },
      { properties: { upload }, required: ['upload'] },
    ],
  }
}

function operation(call: Endpoint) {
  const audiences = audiencesOf(call.access)
  const isPublic = audiences.includes('public')
  return {
    operationId: call.path.replaceAll('/', '-'),
    summary: call.summary,
    ...(call.method === 'POST' && { requestBody: bodyOf(call) }),
    ...(call.idempotent && {
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: call.idempotent === true,
          schema: { type: 'string', pattern: '^[\\w-]{16,100}$' },
        },
      ],
    }),
    security: isPublic ? [] : [{ session: [] }],
    responses: {
      200:
        call.responseType === 'events'
          ? { description: 'Server-sent events', content: { 'text/event-stream': { schema: { type: 'string' } } } }
          : { description: 'The answer', ...json(schemaOf(call.response, 'output')) },
      default: { $ref: '#/components/responses/Failure' },
    },
    'x-access': {
      audience: audiences.length === 1 ? audiences[0] : audiences,
      ...(call.access.privilege && { privilege: call.access.privilege }),
    },
  }
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Serves the API documentation: JSON for machines, and a page without scripts for people. */
export function mountApiDocs(app: FastifyInstance, calls: readonly Endpoint[], version: string): void {
  // OpenAPI document, built on the first request. Building it at startup would delay the start.
  let document: string | null = null
  const rows = calls.map((call) => {
    const privilege = call.access.privilege ? `, ${call.access.privilege.join(' ')}` : ''
    return `<tr><td>${call.method}</td><td><code>${CALL_PREFIX}${escape(call.path)}</code></td><td>${escape(call.summary)}</td><td>${audiencesOf(call.access).join(', ')}${privilege}</td></tr>`
  })
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mainstreet calls</title>
<h1>Calls</h1><p>The whole description, with bodies and answers, is the OpenAPI document <a href="/api/docs/json">/api/docs/json</a>.</p>
<table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th><th scope="col">Who may</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></html>`
  app.get('/api/docs/json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(openApi(calls, version)))),
  )
  app.get('/api/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
}
