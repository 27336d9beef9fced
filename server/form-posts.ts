import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FORM_CALL, type SentForm } from '../shared/boot.ts'
import type { Endpoint, RequestInputOf, ResponseOf } from '../shared/endpoint.ts'
import { say } from '../shared/messages.ts'

/** Entries of a form by field name, or parameters of a page's path. */
type Entries = Readonly<Record<string, string>>

/**
 * Form that also works without JavaScript. The page's own POST makes the call of the form, as the visitor who sent it.
 * If the call is refused, the page shows the entries again with the errors.
 */
export interface FormPost {
  /** Path of the page. Its parameters become entries, if the call takes them: `/support`, `/support/{token}`. */
  readonly path: string
  readonly endpoint: Endpoint
  /** Returns the body of the call, if it takes other values than texts. */
  readonly body?: (entries: Entries) => object
  /** Returns the path that follows. Undefined if the page of the form shows the response. */
  readonly next?: typeof SAME_PAGE | ((response: never) => string)
}

/** Value of `next` if the browser loads the page of the form again, with its new data. */
export const SAME_PAGE = 'same page'

/** Declares a form that also works without JavaScript. Its screen passes the same call to `useZodForm`. */
export const formPost = <E extends Endpoint>(declared: {
  path: string
  endpoint: E
  body?: (entries: Entries) => RequestInputOf<E>
  next?: typeof SAME_PAGE | ((response: ResponseOf<E>) => string)
}): FormPost => declared as FormPost

/** Maximum size of a sent form, in bytes. */
const FORM_LIMIT = 64 * 1024

interface Failure {
  message: string
  details?: { fields?: Record<string, string> }
}

/** Function that makes the call of a form. Returns the status and the JSON of its response. */
type MakeCall = (
  request: FastifyRequest,
  endpoint: Endpoint,
  body: object,
  key: string,
) => Promise<{ status: number; json: unknown }>

/** Function that shows the page of a form after it was sent. */
type ShowPage = (request: FastifyRequest, reply: FastifyReply, status: number, sent: SentForm) => Promise<FastifyReply>

export function mountFormPosts(app: FastifyInstance, posts: readonly FormPost[], makeCall: MakeCall, show: ShowPage) {
  app.register((pages, _options, done) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    for (const [path, ofPage] of Map.groupBy(posts, (post) => post.path))
      pages.post(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
        const params = request.params as Entries
        const { [FORM_CALL]: called, idempotencyKey = '', ...entries } = request.body as Record<string, string>
        const post = ofPage.find(({ endpoint }) => endpoint.path === called) ?? ofPage[0]
        if (!post) return reply.callNotFound()
        const { endpoint, body = (sent) => sent, next } = post
        const fields = fieldsOf(endpoint)
        const values = pick(entries, fields)
        const sent = { call: endpoint.path, values, response: null, refusal: null }
        if (!isFromOwnPage(request)) {
          const message = say`Another site sent this form, so we ignored it. If you want to send it, check the entries and press the button.`
          return show(request, reply, 403, { ...sent, refusal: { message, fields: {} } })
        }
        const content = body({ ...values, ...pick(params, fields) })
        const { status, json } = await makeCall(request, endpoint, content, idempotencyKey)
        if (status !== 200) {
          const { message, details } = json as Failure
          // 422 also for entries of the wrong form, which a call refuses with 400.
          return show(request, reply, status === 400 ? 422 : status, {
            ...sent,
            refusal: { message, fields: details?.fields ?? {} },
          })
        }
        if (next) return reply.redirect(next === SAME_PAGE ? request.url : next(json as never), 303)
        return show(request, reply, 200, { ...sent, response: json })
      })
    done()
  })
}

/** Returns the entries with these names, and of their parts: `answers.size`. */
const pick = (entries: Entries, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => names.includes(name.split('.')[0] ?? '')))

/** Returns the names of the entries that a call takes. */
const fieldsOf = ({ body }: Endpoint): string[] =>
  Object.keys((body as unknown as { _zod: { def: { shape?: object } } })._zod.def.shape ?? {})

/**
 * True unless another site sent the form. No cookie carries a session, but a forged form would use up the limits of its
 * visitor. Only clients other than browsers send neither header.
 */
function isFromOwnPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin, host } = headers
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
