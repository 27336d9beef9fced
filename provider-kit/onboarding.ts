import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import type { Clock } from './clock.ts'
import type { Client, Database } from './database.ts'
import type { Events } from './events.ts'
import { newId } from './ids.ts'
import type { openPages } from './hosted.ts'
import { allowsOrigin } from './origins.ts'
import { Refused } from './refused.ts'

/** Lifetime of a single-use link to the account page. In minutes. */
const LINK_MINUTES = 30

/** SQL for the table of single-use links. Each leads to the page where an account holder verifies their identity. */
export const LINK_TABLE = `
CREATE TABLE IF NOT EXISTS account_link (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  return_url text NOT NULL,
  refresh_url text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);`

const url = z.string().check(z.maxLength(2000), z.url())
export const newLink = z.object({ return_url: url, refresh_url: url })

interface Link {
  id: string
  account: string
  return_url: string
  refresh_url: string
}

/** Onboarding page of a provider, with functions that render the page and save its answers. */
export interface AccountPage {
  /** Renders the page of an account. `problem` is the error in the submitted answers, or empty. */
  render(account: string, problem: string, typed: Readonly<Record<string, string>>): Promise<string>
  /**
   * Saves the answers. Returns a message if an answer is wrong, null if the page is complete, and true if more pages
   * follow.
   */
  take(client: Client, account: string, typed: Readonly<Record<string, string>>): Promise<string | true | null>
  /** Creates a file that the company can download. */
  file?: (account: string) => Promise<{ name: string; text: string }>
}

interface Parts {
  database: Database
  clock: Clock
  events: Events
  frameAncestors: readonly string[]
  page: ReturnType<typeof openPages>['page']
}

/**
 * Creates the hosted pages where a company verifies its identity. They run on the provider's origin, so that the portal
 * never receives the answers.
 */
export function openOnboarding({ database, clock, events, frameAncestors, page }: Parts, accountPage: AccountPage) {
  /**
   * Adds a link and returns its path.
   * @throws Refused if a return URL is not on the portal
   */
  async function addLink(client: Client, account: string, body: z.output<typeof newLink>): Promise<{ path: string }> {
    for (const url of [body.return_url, body.refresh_url])
      if (!allowsOrigin(frameAncestors, new URL(url).origin))
        throw new Refused(400, 'foreign_url', 'The way back must lead to a portal that may show the hosted fields.')
    const id = newId('link')
    const until = new Date(clock.now().getTime() + LINK_MINUTES * 60_000)
    await client.query(
      'INSERT INTO account_link (id, account, return_url, refresh_url, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [id, account, body.return_url, body.refresh_url, until],
    )
    return { path: `/onboarding/${id}` }
  }

  /**
   * Finds the link of a page. `works` is false if the link was used or has expired.
   * @throws Refused if the link never existed
   */
  async function linkOf(id: string): Promise<{ link: Link; works: boolean }> {
    const { rows } = await database.query<Link & { works: boolean }>(
      'SELECT *, used_at IS NULL AND expires_at > $2 AS works FROM account_link WHERE id = $1',
      [id, clock.now()],
    )
    if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such page.')
    return { link: rows[0], works: rows[0].works }
  }

  const sendStatus = (client: Client, account: string) =>
    events.emit(client, account, 'account.updated', { object: 'account', object_id: account, intent: '' })

  async function show(reply: FastifyReply, { account }: Link, problem = '', typed: Record<string, string> = {}) {
    return page(reply, await accountPage.render(account, problem, typed), "'none'", problem === '' ? 200 : 422)
  }

  function mount(app: FastifyInstance): void {
    app.get<{ Params: { id: string }; Querystring: { file?: string } }>('/onboarding/:id', async (request, reply) => {
      const { link, works } = await linkOf(request.params.id)
      if (!works) return reply.redirect(link.refresh_url, 303)
      if (request.query.file === undefined || !accountPage.file) return show(reply, link)
      const { name, text } = await accountPage.file(link.account)
      return reply
        .type('text/plain; charset=us-ascii')
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'x-content-type-options': 'nosniff' })
        .send(text)
    })
    app.post<{ Params: { id: string }; Body: Record<string, string> | null }>(
      '/onboarding/:id',
      async (request, reply) => {
        const { link, works } = await linkOf(request.params.id)
        if (!works) return reply.redirect(link.refresh_url, 303)
        const typed = Object.fromEntries(
          Object.entries(request.body ?? {}).map(([name, value]) => [name, String(value).trim().slice(0, 200)]),
        )
        const outcome = await database.transact(async (client) => {
          const response = await accountPage.take(client, link.account, typed)
          if (typeof response === 'string') return response
          if (response === null)
            await client.query('UPDATE account_link SET used_at = $2 WHERE id = $1', [link.id, clock.now()])
          await sendStatus(client, link.account)
          return response
        })
        void events.deliver().catch(() => {})
        if (typeof outcome === 'string') return show(reply, link, outcome, typed)
        return reply.redirect(outcome === null ? link.return_url : link.id, 303)
      },
    )
  }

  return { addLink, linkOf, mount, sendStatus }
}
export type Onboarding = ReturnType<typeof openOnboarding>
