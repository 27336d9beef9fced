import { readFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { allowsOrigin } from './origins.ts'

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const { resolve } = createRequire(import.meta.url)
const FONTS = '@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin'

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

/** Input field with its name, label and autofill value. */
interface HostedInput {
  id: string
  label: string
  /**
   * Maximum length. The browser shortens pasted text to this length before the field removes spaces and punctuation.
   */
  maxLength: number
  numeric?: boolean
  autocomplete?: string
  wide?: boolean
  /** Initial value. */
  value?: string
  required?: boolean
}

export const input = ({
  id,
  label,
  maxLength,
  numeric = true,
  autocomplete = 'off',
  wide = false,
  value,
  required = true,
}: HostedInput) => `
        <div class="field${wide ? ' wide' : ''}">
          <label for="${id}">${label}</label>
          <input id="${id}" name="${id}"${numeric ? ' inputmode="numeric"' : ''} autocomplete="${autocomplete}" maxlength="${maxLength}" aria-describedby="${id}-error"${value === undefined ? '' : ` value="${escapeHtml(value)}"`}${required ? ' required' : ''} />
          <p class="error" id="${id}-error"></p>
        </div>`

const ACCOUNT_TYPE = `
        <div class="field wide">
          <label for="account_type">Account type</label>
          <select id="account_type" name="account_type">
            <option value="2" selected>Checking</option>
            <option value="1">Savings</option>
          </select>
          <p class="error"></p>
        </div>`

export const BANK_FIELDS = {
  title: 'Bank account details',
  fields: [
    input({
      id: 'holder',
      label: 'Name on the account',
      maxLength: 100,
      numeric: false,
      autocomplete: 'name',
      wide: true,
    }),
    input({ id: 'routing', label: 'Routing number', maxLength: 30 }),
    input({ id: 'number', label: 'Account number', maxLength: 40 }),
    ACCOUNT_TYPE,
  ],
}

async function framed(title: string, body: string): Promise<string> {
  const frame = await readFile(at('fields/frame.html'), 'utf8')
  return frame.replace('{{title}}', title).replace('{{body}}', () => body)
}

/** Renders a full page of the provider, which is not part of the portal. */
export const standalonePage = (title: string, main: string): Promise<string> =>
  framed(title, `<body class="standalone"><main>${main}</main></body>`)

/**
 * Renders a page of hosted fields for a frame on another origin. `note` appears below the fields, for example to say
 * that a sandbox moves no money.
 */
export const fieldsPage = (kind: string, { title, fields }: typeof BANK_FIELDS, note: string | null): Promise<string> =>
  framed(
    title,
    `<body>
    <main aria-label="${title}">
      <form id="fields" data-kind="${kind}" novalidate aria-label="${title}">${fields.join('')}
        ${note === null ? '' : `<p class="test wide"><strong>${note}</strong></p>`}
      </form>
    </main>
    <script type="module" src="fields.js"></script>
  </body>`,
  )

/**
 * Returns functions that send pages to a payer's browser. The pages have no inline script or style, and only allowed
 * origins may frame them.
 */
export function openPages(app: FastifyInstance, frameAncestors: readonly string[]) {
  const policy = (ancestors: string) =>
    [
      ...[
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
      ],
      `form-action 'self' ${frameAncestors.join(' ')}`,
      `frame-ancestors ${ancestors}`,
    ].join('; ')
  const page = (reply: FastifyReply, html: string, ancestors: string, status = 200) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy(ancestors),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      })
      .send(html)
  return {
    page,
    mountFields: (pageOf: (kind: string) => Promise<string | null>) => mountFields(app, frameAncestors, page, pageOf),
  }
}

type Page = (reply: FastifyReply, html: string, ancestors: string, status?: number) => FastifyReply

function mountFields(
  app: FastifyInstance,
  frameAncestors: readonly string[],
  page: Page,
  pageOf: (kind: string) => Promise<string | null>,
): void {
  app.get<{ Params: { kind: string }; Querystring: { parent?: string } }>('/fields/:kind', async (request, reply) => {
    const html = await pageOf(request.params.kind)
    const parent = request.query.parent ?? ''
    if (html === null)
      return page(reply, '<!doctype html><title>Not found</title><p>There is nothing here.</p>', "'none'", 404)
    if (!allowsOrigin(frameAncestors, parent))
      return page(
        reply,
        '<!doctype html><title>Not allowed</title><p>These fields cannot be shown on this site.</p>',
        "'none'",
        400,
      )
    return page(reply, html, frameAncestors.join(' '))
  })

  const asset = (url: string, type: string, content: () => Promise<string | Buffer>) =>
    app.get(url, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=300')
        .header('x-content-type-options', 'nosniff')
        .send(await content()),
    )
  asset('/fields/fields.css', 'text/css; charset=utf-8', () => readFile(at('fields/fields.css'), 'utf8'))
  asset('/fields/fields.js', 'text/javascript; charset=utf-8', () => readFile(at('fields/fields.js'), 'utf8'))
  for (const name of ['numbers', 'shapes'])
    asset(`/fields/${name}.js`, 'text/javascript; charset=utf-8', async () =>
      stripTypeScriptTypes(await readFile(at(`${name}.ts`), 'utf8')),
    )
  for (const weight of ['400', '700'])
    asset(`/fields/text-${weight}.woff2`, 'font/woff2', () => readFile(resolve(`${FONTS}-${weight}-normal.woff2`)))
}
