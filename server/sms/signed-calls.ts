import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '../config.ts'
import { notAllowed } from '../errors.ts'
import type { AppContext } from '../app-context.ts'
import { isSigned } from './signature.ts'

const MAX_BYTES = 64 * 1024
/** Pattern of ids in callback URLs. It allows at most 15 digits, so that each id is a safe integer. */
const ID = /^[1-9]\d{0,14}$/

/** Mounts the provider's callbacks. Reads their forms as unparsed text, which `signedForm` parses and checks. */
export const mountSigned = (app: FastifyInstance, routes: (scope: FastifyInstance) => void): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    routes(scope)
  })
}

/**
 * Returns the form of a callback after checking its signature.
 * @throws 403 if the signature is wrong
 */
export function signedForm({ config }: Pick<AppContext, 'config'>, request: FastifyRequest): URLSearchParams {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  // Uses the URL that the provider called, because a proxy may have changed the request's URL.
  const url = originOf(config, null) + (request.raw.url ?? '')
  if (!isSigned(config.sms.authToken, url, form, request.headers['x-twilio-signature']))
    throw notAllowed('This is not signed by whoever carries texts and calls.')
  return form
}

/** Reads an id from the URL. Null if it is not a possible id. */
export function numberIn(request: FastifyRequest, name: string): number | null {
  const value = String((request.query as Record<string, unknown>)[name])
  return ID.test(value) ? Number(value) : null
}
