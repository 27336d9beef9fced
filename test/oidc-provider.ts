import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** Claims that the issuer makes about a person. The person's key in `people` is the claim `sub`. */
export interface IdentityClaims {
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
  name?: string
}

export interface TestIssuer {
  url: string
  clientId: string
  clientSecret: string
  /**
   * People who may sign in, by their `sub`, which is also their user name. The issuer's development forms accept any
   * password.
   */
  people: Record<string, IdentityClaims>
  /**
   * Signs a person in as a browser does, starting from the portal's redirect.
   * @returns the URL that the issuer redirects to
   */
  signIn(url: string, sub: string): Promise<URL>
  stop(): Promise<void>
}

/** Starts a real OpenID Connect issuer on this machine. One portal is its client. */
export async function startIssuer(redirectUris: string[], changes: Configuration = {}): Promise<TestIssuer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: Record<string, IdentityClaims> = {}
  const [clientId, clientSecret] = ['portal', 'a-secret-of-the-portal-and-its-issuer']
  const provider = new Provider(url, {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris, application_type: 'web' },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, sub) =>
      people[sub] ? { accountId: sub, claims: () => ({ sub, ...people[sub] }) } : undefined,
    cookies: { keys: ['keys of a test'] },
    // Lifetimes in seconds. If one is missing, the issuer warns that it uses the default.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    ...changes,
  })
  // Removes the expiry from cookies. The clock of a test run is shifted, and a browser drops cookies that have expired
  // by the browser's own clock.
  provider.use(async ({ res }, next) => {
    await next()
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String)
    if (cookies.length > 0)
      res.setHeader(
        'set-cookie',
        cookies.map((cookie) => (cookie.includes('=;') ? cookie : cookie.replace(/; expires=[^;]*/i, ''))),
      )
  })
  server.on('request', provider.callback())
  return { url, clientId, clientSecret, people, signIn, stop: () => stop(server) }
}

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** Follows redirects and submits the issuer's development forms. Stores cookies as a browser does. */
async function signIn(start: string, sub: string): Promise<URL> {
  const { origin } = new URL(start)
  const cookies = new Map<string, string>()
  let [next, form]: [string, URLSearchParams | null] = [start, null]
  for (let hop = 0; hop < 12; hop += 1) {
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    form = null
    const to = response.headers.get('location')
    if (to) {
      const target = new URL(to, next)
      if (target.origin !== origin) return target
      next = target.href
      continue
    }
    const html = await response.text()
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1]
    if (!action || !prompt) throw new Error(`the issuer answered ${response.status}: ${html.slice(0, 300)}`)
    next = new URL(action, next).href
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: sub, password: 'any' }) })
  }
  throw new Error('the issuer leads in circles')
}
