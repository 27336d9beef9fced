import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from './stripe-fault.ts'
import { typedMethod } from './typed.ts'
import type { StripeWorld } from './world.ts'

interface PageContext {
  /** Publishable key that the server accepts. */
  key: string
  world: () => StripeWorld
  plan: (fault: { route: string; fault: Fault }) => void
}

const html = (title: string, message: string, buttons: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
  <main><h1>${title}</h1><p>${message}</p><form method="post">${buttons}</form></main></html>`
const BANK = html(
  'Your bank',
  'Is it you who pays?',
  '<button name="as" value="owner">Complete</button> <button name="as" value="other">Fail</button>',
)
const DEPOSITS = html(
  'Two small deposits',
  'Name the amounts that came to your account.',
  '<label>First <input name="first"></label> <label>Second <input name="second"></label> <button>Verify</button>',
)

interface OneIdRequest {
  Params: { id: string }
  Body: string
}

/** Adds Stripe's pages for browsers: the script, the frame of its fields, a bank's page, and the micro-deposit page. */
export function addPages(app: FastifyInstance, { key, world, plan }: PageContext): void {
  const give = (path: string, name: string, type: string) =>
    app.get(path, async (_request, reply) =>
      reply.type(type).send(await readFile(new URL(`browser/${name}`, import.meta.url))),
    )
  give('/dahlia/stripe.js', 'stripe.js', 'text/javascript')
  give('/elements/payment', 'payment.html', 'text/html')
  give('/elements/payment.js', 'payment.js', 'text/javascript')

  const refused = ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const apiKey = headers.authorization?.replace('Bearer ', '')
    const error = { type: 'invalid_request_error', message: `Invalid API Key provided: ${apiKey}` }
    return apiKey === key ? null : reply.code(401).send({ error })
  }
  app.get('/elements/sessions', async (request, reply) => refused(request, reply) ?? { object: 'elements_session' })
  app.post<{ Body: string }>('/elements/payment_methods', async (request, reply) => {
    const refusal = refused(request, reply)
    if (refusal) return refusal
    const made = typedMethod(Object.fromEntries(new URLSearchParams(request.body)))
    const message = 'Your card number is none of those for tests.'
    if (!made) return reply.code(402).send({ error: { type: 'card_error', code: 'card_declined', message } })
    world().typed.set(made.id, made)
    return { id: made.id, object: 'payment_method', type: made.type }
  })

  const page = (path: string, text: string) => app.get(path, (_request, reply) => reply.type('text/html').send(text))
  page('/redirect/authenticate/:id', BANK)
  app.post<OneIdRequest>('/redirect/authenticate/:id', async ({ params: { id }, body }, reply) => {
    const isOwner = new URLSearchParams(body).get('as') === 'owner'
    const back = new URL(world().resolveChallenge(id, isOwner))
    // Parameters that Stripe adds to the return URL.
    const kind = id.startsWith('seti_') ? 'setup_intent' : 'payment_intent'
    back.searchParams.set(kind, id)
    back.searchParams.set(`${kind}_client_secret`, `${id}_secret_none`)
    back.searchParams.set('redirect_status', isOwner ? 'succeeded' : 'failed')
    return reply.redirect(back.href, 303)
  })
  page('/microdeposit/:id', DEPOSITS)
  app.post<OneIdRequest>('/microdeposit/:id', async ({ params: { id }, body }, reply) => {
    const typed = new URLSearchParams(body)
    // Deposit amounts that Stripe's test mode accepts.
    const isRight = typed.get('first') === '32' && typed.get('second') === '45'
    if (isRight) world().verify(id)
    const message = isRight ? 'Your bank account is verified. You can close this page.' : 'These are other amounts.'
    return reply.type('text/html').send(html('Two small deposits', message, ''))
  })

  // Lets a browser test in another process schedule faults.
  app.post<{ Body: string }>('/test/faults', async ({ body }) => {
    plan(JSON.parse(body) as Parameters<typeof plan>[0])
    return {}
  })
  app.post('/test/days', async () => {
    const { model } = world()
    while (model.unfinished) model.advance(0)
    return {}
  })
}
