import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { makeTheme } from '../../shared/theme.ts'
import { say, translated } from '../../shared/messages.ts'
import { auditCompanyOrPlatform, PLATFORM } from '../audit.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { countAttempt, defineAddressLimit } from '../limits.ts'
import { escapeHtml } from '../html.ts'
import { readersLanguage } from '../languages.ts'
import type { Tx } from '../tenancy.ts'
import { stoppableNotice } from './notice.ts'
import { hasOptedOut, readUnsubscribe, setOptedOut, UNSUBSCRIBE_PATH } from './opt-outs.ts'

const MAX_BYTES = 4096
/**
 * Rate limit per IP address for requests with an unknown link. Valid links do not count, because email providers open
 * many of them automatically.
 */
const perAddress = defineAddressLimit('notice-stop', { max: 30 })

/**
 * Adds the page behind the link 'Stop these mails'. The page needs no session or script. Opening the page changes
 * nothing, because mail servers also open links. People unsubscribe with the button on the page or the one-click action
 * of email programs (RFC 8058).
 */
export function mountUnsubscribePage(app: FastifyInstance, context: AppContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.get<{ Querystring: { of?: unknown } }>(UNSUBSCRIBE_PATH, async ({ query, headers, ip }, reply) => {
      const counted = await countAttempt(context, [perAddress(ip)])
      const subscription = await find(context, headers.host, query.of)
      if (!subscription) return sendGone(reply)
      await counted.release()
      const { company, optOut, called } = subscription
      const isOptedOut = await within(context, company, (tx) => hasOptedOut(tx, optOut, optOut.event))
      return sendPage(reply, 200, company, { isOptedOut, called, address: optOut.address })
    })
    scope.post<{ Querystring: { of?: unknown }; Body: string | undefined }>(
      UNSUBSCRIBE_PATH,
      async (request, reply) => {
        const counted = await countAttempt(context, [perAddress(request.ip)])
        const subscription = await find(context, request.headers.host, request.query.of)
        if (!subscription) return sendGone(reply)
        await counted.release()
        const { company, optOut, called } = subscription
        const isOptedOut = new URLSearchParams(request.body ?? '').get('again') === null
        await within(context, company, async (tx) => {
          if (!(await setOptedOut(tx, optOut, isOptedOut, context.clock.now()))) return
          await auditCompanyOrPlatform(
            tx,
            context.clock,
            company?.id ?? null,
            { session: null, requestId: request.id },
            {
              action: isOptedOut ? 'notices.unsubscribed' : 'notices.resumed',
              detail: { to: optOut.address, notice: called },
            },
          )
        })
        return sendPage(reply, 200, company, { isOptedOut, called, address: optOut.address })
      },
    )
  })
}

const within = <T>(context: AppContext, pageCompany: Company | null, work: (tx: Tx) => Promise<T>): Promise<T> =>
  pageCompany ? context.inCompany(pageCompany.id, work) : context.acrossCompanies(work)

/** Finds the mailbox and event that an unsubscribe link on this host refers to. */
async function find(context: AppContext, hostHeader: string | undefined, sealed: unknown) {
  const optOut = readUnsubscribe(context, sealed)
  const notice = optOut && stoppableNotice(optOut.event)
  const host = await context.hosts.resolve(hostHeader)
  const pageCompany = host.kind === 'company' ? host.company : null
  const company = host.kind === 'admin' ? PLATFORM : pageCompany?.id
  return optOut && notice && optOut.company === company ? { company: pageCompany, optOut, called: notice.called } : null
}

interface UnsubscribePageData {
  isOptedOut: boolean
  called: string
  address: string
}

function sendPage(
  reply: FastifyReply,
  status: number,
  company: Company | null,
  { isOptedOut, called, address }: UnsubscribePageData,
) {
  const name = company?.name ?? 'Mainstreet'
  const topic = translated(called)
  const [title, message, button] = isOptedOut
    ? [
        say`You have been unsubscribed`,
        say`${name} will no longer send these emails to ${address}: ${topic}.`,
        say`Resubscribe`,
      ]
    : [say`Unsubscribe from these emails?`, say`${name} sends these emails to ${address}: ${topic}.`, say`Unsubscribe`]
  const form = `<form method="post">${isOptedOut ? '<input type="hidden" name="again" value="1">' : ''}<button>${escapeHtml(button)}</button></form>`
  const rest = say`You will still get important emails, such as receipts and emails about your account.`
  return send(reply, status, company, title, `<p>${escapeHtml(message)}</p>${form}<p>${escapeHtml(rest)}</p>`)
}

const sendGone = (reply: FastifyReply) =>
  send(
    reply,
    404,
    null,
    say`This link does not work`,
    `<p>${escapeHtml(say`Open the link in the email again, or copy the whole link into the address bar of your browser.`)}</p>`,
  )

function send(reply: FastifyReply, status: number, pageCompany: Company | null, title: string, body: string) {
  const nonce = randomBytes(16).toString('base64')
  const { cssText } = makeTheme(pageCompany?.themeBackground, pageCompany?.themeText)
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer').send(`<!doctype html>
<html lang="${readersLanguage()?.locale ?? 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${cssText}${CSS}</style></head>
<body><header>${escapeHtml(pageCompany?.name ?? 'Mainstreet')}</header><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`)
}

const CSS = `
body{margin:0;background:var(--paper);color:var(--ink);font:1.125rem/1.5 system-ui,sans-serif}
header{background:var(--brand);color:var(--on-brand);padding:1rem 1.25rem;font-weight:bold}
main{max-width:38rem;margin:0 auto;padding:1.25rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2}
button{min-height:48px;padding:0 1.25rem;border:0;border-radius:6px;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:bold;cursor:pointer}
button:hover{background:var(--brand-hover)}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
`
