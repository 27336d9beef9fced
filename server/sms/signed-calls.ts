import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '../config.ts'
import { notAllowed } from '../errors.ts'
import type { AppContext } from '../app-context.ts'
import { isSigned } from './signature.ts'

const MAX_BYTES = 64 * 1024
/** Ids are bigint; more digits are none of ours. */
const ID = /^[1-9]\d{0,14}$/

/** Mounts what whoever carries texts and calls calls: a form, read as it was written, since its signature is over that. */
export const mountSigned = (app: FastifyInstance, routes: (scope: FastifyInstance) => void): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    routes(scope)
  })
}

/** What was sent, by whoever holds the account's token. @throws 403 */
export function signedForm({ config }: Pick<AppContext, 'config'>, request: FastifyRequest): URLSearchParams {
  const said = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  // The address as the provider knows it: a proxy may have called us by another.
  const url = originOf(config, null) + (request.raw.url ?? '')
  if (!isSigned(config.sms.authToken, url, said, request.headers['x-twilio-signature']))
    throw notAllowed('This is not signed by whoever carries texts and calls.')
  return said
}

/** A number of the address that was called; null where it is none of ours. */
export function numberIn(request: FastifyRequest, name: string): number | null {
  const given = String((request.query as Record<string, unknown>)[name])
  return ID.test(given) ? Number(given) : null
}
