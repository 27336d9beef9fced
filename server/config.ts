import { createHmac } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { ensureSecrets, KEY_FILE, storedKey } from './made-secrets.ts'
import { StartError } from './start-error.ts'

export type Mode = 'start' | 'dev' | 'production' | 'test'
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Settings from the environment, read once, checked and frozen. */
export interface Config {
  readonly mode: Mode
  readonly port: number
  readonly host: string
  /** Base host name of the companies' subdomains. */
  readonly baseHost: string
  /** Origin of `baseHost` as browsers see it, without a trailing slash. See `originOf`. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Folder with the compiled message catalogs of languages other than English. The build creates them. */
  readonly languagesDir: string
  /** Folder for billing files, with a subfolder for each company. Null if none. */
  readonly billingFolder: string | null
  readonly database: {
    /** URL of the PostgreSQL server. Null for the embedded server. */
    readonly url: string | null
    readonly appUrl: string | null
    readonly platformUrl: string | null
    readonly gatewayUrl: string | null
    /** Direct PostgreSQL URL. Only set if the application's URL points to a connection pooler. */
    readonly listenUrl: string | null
  }
  /** True if the portal loads the demo companies into an empty database. */
  readonly demo: boolean
  /** Proxies that the portal trusts to forward caller addresses, in Fastify's format. */
  readonly trustProxy: false | string[]
  readonly metricsToken: string | null
  /**
   * Key that encrypts stored secrets (secrets.ts): 32 bytes in base64. All portals that use the same database share the
   * key.
   */
  readonly secretKey: string
  /** True if single sign-on issuers on this machine may use http. Only for tests and trials. */
  readonly ssoLoopback: boolean
  /** True if other Open311 portals on this machine may use http. Only for tests and trials. */
  readonly open311Loopback: boolean
  /** True if alert sources on this machine may use http. Only for tests and trials. */
  readonly alertsLoopback: boolean
  /** Maximum length of a session and maximum idle time, in hours. */
  readonly sessions: { readonly hours: number; readonly idleHours: number }
  /**
   * Time in seconds during which a portal that is shutting down still answers requests. During this time, /readyz
   * reports the shutdown.
   */
  readonly drainSeconds: number
  /**
   * Process that runs jobs: a separate process (`beside`), so that pages never wait for jobs, or the portal process
   * itself (`here`).
   */
  readonly jobs: 'beside' | 'here'
  /**
   * Method of the check for leaked passwords: an online service that receives part of the password's hash (`online`),
   * or a local list (`list`).
   */
  readonly breachCheck: 'online' | 'list'
  readonly email: { readonly smtpUrl: string | null; readonly from: string }
  readonly serverName: string
  readonly supportFormUrl: string | null
  readonly supportPhone: string
  readonly logLevel: LogLevel
  readonly version: string
  /** S3 bucket for uploads. Null if the portal stores uploads in the data folder. */
  readonly s3: {
    readonly bucket: string
    /** URL of the S3 server. Null for Amazon's own endpoint in `region`. */
    readonly endpoint: string | null
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
    /** Prefix of object keys. Empty, or with a trailing slash. */
    readonly prefix: string
  } | null
  /** Address of ClamAV's daemon. Null if files are not scanned for viruses. */
  readonly clamd: { readonly host: string; readonly port: number } | { readonly path: string } | null
  readonly sms: {
    readonly provider: 'sandbox' | 'twilio'
    /**
     * True if residents can choose text messages. In production, false if SMS_PROVIDER is not set and the demo is off.
     * The sandbox would then be used, which sends no real text messages.
     */
    readonly offered: boolean
    /** Sender of text messages: a number, `+1…`, or a Twilio messaging service, `MG…`. */
    readonly from: string
    /** Key that verifies the provider's signatures. */
    readonly authToken: string
    readonly accountSid: string
    readonly apiUrl: string
    /** Local URL of this portal, to which the sandbox sends its events. */
    readonly nearUrl: string
  }
  /** Settings of phone calls, which use the provider of text messages. */
  readonly voice: {
    /**
     * True if residents can choose phone calls. Same value as for text messages, because the sandbox makes no real
     * calls either.
     */
    readonly offered: boolean
    /**
     * Caller number. Empty if only a messaging service is configured, because a messaging service can't place calls.
     */
    readonly from: string
  }
  /**
   * Bridge that creates door codes: a small service that the lock vendor or installer runs (docs/access-codes.md). Null
   * for the sandbox.
   */
  readonly accessCodes: { readonly url: string; readonly key: string } | null
  /** Payment provider that new companies start with. Each company may switch to another connected provider. */
  readonly paymentProvider: 'sandbox' | 'stripe'
  /** Settings of the bank-file provider (docs/bank-files.md). Null if not configured. */
  readonly bankfile: BankfileConfig | null
  /** Settings of Stripe. Null if this portal is not connected to Stripe. */
  readonly stripe: StripeConfig | null
  readonly gateway: {
    /** True if companies may use the sandbox. False if the portal uses a live payment provider. */
    readonly available: boolean
    /**
     * True if this portal starts the sandbox gateway as a child process. False if GATEWAY_URL names another gateway or
     * a live payment provider is set.
     */
    readonly run: boolean
    readonly port: number
    /** URL at which the portal reaches the gateway. */
    readonly url: string
    /** Origin at which browsers reach the gateway. */
    readonly publicOrigin: string
    /** URL of the portal that receives the gateway's events. */
    readonly webhookUrl: string
    readonly apiKey: string
    readonly webhookSecret: string
    /** Origins of pages that may embed the gateway's hosted fields in a frame. */
    readonly frameAncestors: readonly string[]
  }
}

/** URLs of the bank-file provider for the portal and for browsers, and the keys that both sides share. */
interface BankfileConfig {
  readonly url: string
  readonly publicOrigin: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** True if real money moves. */
  readonly live: boolean
}

export interface StripeConfig {
  readonly secretKey: string
  readonly publishableKey: string
  /**
   * Secrets of the Stripe webhook endpoints. While an operator replaces a secret, both the old and the new one are
   * valid.
   */
  readonly webhookSecrets: readonly string[]
  /** URL that replaces Stripe's API. Null for the real API. */
  readonly apiUrl: string | null
  /** URL of the script for Stripe's card and bank fields. */
  readonly jsUrl: string
  /** True for test keys, which move no money. */
  readonly test: boolean
}

/**
 * Error about a malformed setting. The message is one line that names the variable and never contains a secret value.
 */
export class ConfigError extends StartError {}

export type Env = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** Folder of the built message catalogs (`web/build/catalogs.ts`). */
const BUILT_LANGUAGES = fileURLToPath(new URL('../dist/web/languages', import.meta.url))
const PROVIDERS = ['sandbox', 'stripe'] as const
const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const PROXIES = ['loopback', 'uniquelocal']

/**
 * Reads the environment. Ignores unknown variables and treats an empty variable as absent. Generates missing gateway
 * secrets once and saves them in the data folder.
 * @throws ConfigError
 */
export function readConfig(env: Env, mode: Mode): Config {
  const production = mode === 'production'
  const port = portIn(env, 'PORT', 3000)
  const gatewayPort = portIn(env, 'GATEWAY_PORT', port + 1)
  if (gatewayPort === port) throw new ConfigError('GATEWAY_PORT must be another port than PORT.')
  const baseHost = hostIn(env, 'BASE_HOST', 'localhost')
  const publicUrl = publicUrlIn(env, baseHost, port)
  const dataDir = resolve(text(env, 'DATA_DIR') ?? '.data')
  const databaseUrl = postgresIn(env, 'DATABASE_URL')
  const paymentProvider = oneOf(env, 'PAYMENT_PROVIDER', PROVIDERS, 'sandbox')
  const stripe = stripeIn(env, paymentProvider === 'stripe')
  const live = paymentProvider !== 'sandbox' || stripe?.test === false
  if (live && paymentProvider === 'sandbox')
    throw new ConfigError(
      'STRIPE_SECRET_KEY is a live key, and the sandbox is refused beside one: set PAYMENT_PROVIDER.',
    )
  const demo = flagIn(env, 'DEMO', !production && databaseUrl === null && !live)
  if (demo && live)
    throw new ConfigError(`DEMO=1 is refused together with the live payment provider ${paymentProvider}.`)
  const host = addressIn(env, 'HOST', production ? '0.0.0.0' : '127.0.0.1')
  if (demo && !flagIn(env, 'DEMO_PUBLIC', false)) refusePublicDemo(host, baseHost)
  const near = isEverywhere(host) ? '127.0.0.1' : host
  const gatewayUrl = urlIn(env, 'GATEWAY_URL', ['http:', 'https:'])
  // In production, the sandbox runs only if PAYMENT_PROVIDER is set.
  const run = !live && gatewayUrl === null && (!production || text(env, 'PAYMENT_PROVIDER') !== null)
  const secrets = ensureSecrets(dataDir, {
    apiKey: text(env, 'GATEWAY_API_KEY'),
    webhookSecret: text(env, 'GATEWAY_WEBHOOK_SECRET'),
  })
  const bare = new URL(publicUrl)
  const secretKey = secretKeyIn(env, dataDir)
  return freeze({
    mode,
    port,
    host,
    baseHost,
    publicUrl,
    dataDir,
    languagesDir: resolve(text(env, 'LANGUAGES_DIR') ?? BUILT_LANGUAGES),
    billingFolder: folderIn(env, 'BILLING_FOLDER'),
    database: {
      url: databaseUrl,
      appUrl: postgresIn(env, 'DATABASE_APP_URL'),
      platformUrl: postgresIn(env, 'DATABASE_PLATFORM_URL'),
      gatewayUrl: postgresIn(env, 'GATEWAY_DATABASE_URL'),
      listenUrl: postgresIn(env, 'DATABASE_LISTEN_URL'),
    },
    demo,
    trustProxy: proxiesIn(env, 'TRUST_PROXY'),
    metricsToken: secretIn(env, 'METRICS_TOKEN'),
    secretKey,
    ssoLoopback: flagIn(env, 'SSO_LOOPBACK', demo),
    open311Loopback: flagIn(env, 'OPEN311_LOOPBACK', demo),
    alertsLoopback: flagIn(env, 'ALERTS_LOOPBACK', demo),
    sessions: { hours: hoursIn(env, 'SESSION_HOURS', 12), idleHours: hoursIn(env, 'SESSION_IDLE_HOURS', 2) },
    drainSeconds: secondsIn(env, 'DRAIN_SECONDS', 0),
    jobs: oneOf(env, 'JOBS', ['beside', 'here'], 'beside'),
    breachCheck: oneOf(env, 'BREACH_CHECK', ['online', 'list'], 'list'),
    email: {
      smtpUrl: urlIn(env, 'SMTP_URL', ['smtp:', 'smtps:']),
      from: emailAddressIn(env, 'MAIL_FROM', `Mainstreet <no-reply@${baseHost}>`),
    },
    serverName: text(env, 'SERVER_NAME') ?? hostname(),
    supportFormUrl: urlIn(env, 'SUPPORT_FORM_URL', ['http:', 'https:']),
    supportPhone: text(env, 'SUPPORT_PHONE') ?? '(717) 555-0100',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, mode === 'test' ? 'silent' : 'info'),
    version: packageJson.version,
    s3: bucketIn(env),
    clamd: clamdIn(env, 'CLAMD'),
    ...phonesIn(env, { production, demo, secretKey, nearUrl: `http://${near}:${port}` }),
    accessCodes: accessCodesIn(env),
    paymentProvider,
    bankfile: bankfileIn(env),
    stripe,
    gateway: {
      available: !live,
      run,
      port: gatewayPort,
      url: gatewayUrl ?? `http://${near}:${gatewayPort}`,
      publicOrigin: urlIn(env, 'GATEWAY_PUBLIC_URL', ['http:', 'https:']) ?? `http://${baseHost}:${gatewayPort}`,
      webhookUrl: `http://${near}:${port}/webhooks/sandbox`,
      ...secrets,
      frameAncestors: [`${bare.protocol}//*.${bare.host}`],
    },
  })
}

/**
 * Returns the origin for links in emails and pages. `subdomain` is a company's subdomain or `admin`. Null means the
 * base host.
 */
export function originOf(config: Pick<Config, 'publicUrl'>, subdomain: string | null): string {
  const { protocol, host } = new URL(config.publicUrl)
  return `${protocol}//${subdomain === null ? '' : `${subdomain}.`}${host}`
}

const text = (env: Env, name: string): string | null => env[name]?.trim() || null

const folderIn = (env: Env, name: string): string | null => {
  const input = text(env, name)
  return input === null ? null : resolve(input)
}

function portIn(env: Env, name: string, otherwise: number): number {
  const input = text(env, name)
  if (input === null) return otherwise
  const port = Number(input)
  if (!/^\d{1,5}$/.test(input) || port < 1 || port > 65_535)
    throw new ConfigError(`${name} must be a port from 1 to 65535, not "${input}".`)
  return port
}

function hoursIn(env: Env, name: string, otherwise: number): number {
  const input = text(env, name)
  if (input === null) return otherwise
  const hours = Number(input)
  if (!(hours > 0 && hours <= 720)) throw new ConfigError(`${name} must be hours, more than 0 and at most 720.`)
  return hours
}

function secondsIn(env: Env, name: string, otherwise: number): number {
  const input = text(env, name)
  if (input === null) return otherwise
  if (!/^\d{1,3}$/.test(input)) throw new ConfigError(`${name} must be seconds from 0 to 999, not "${input}".`)
  return Number(input)
}

function hostIn(env: Env, name: string, otherwise: string): string {
  const input = (text(env, name) ?? otherwise).toLowerCase()
  if (!HOST_NAME.test(input) || isIP(input))
    throw new ConfigError(`${name} must be a host name such as towns.example, not "${input}".`)
  return input
}

function addressIn(env: Env, name: string, otherwise: string): string {
  const input = text(env, name) ?? otherwise
  if (!isIP(input) && !HOST_NAME.test(input))
    throw new ConfigError(`${name} must be an address to listen on, not "${input}".`)
  return input
}

const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'

function publicUrlIn(env: Env, baseHost: string, port: number): string {
  const input = urlIn(env, 'PUBLIC_URL', ['http:', 'https:'])
  if (input === null) return `http://${baseHost}${port === 80 ? '' : `:${port}`}`
  if (new URL(input).hostname !== baseHost)
    throw new ConfigError(`PUBLIC_URL must be a URL of BASE_HOST (${baseHost}).`)
  return input
}

/**
 * Reads a URL from the environment, without a trailing slash. The error message omits the value, because a URL may
 * contain a password.
 */
function urlIn(env: Env, name: string, protocols: readonly string[]): string | null {
  const input = text(env, name)
  if (input === null) return null
  const kinds = protocols.map((protocol) => `${protocol}//`).join(' or ')
  if (!URL.canParse(input) || !protocols.includes(new URL(input).protocol))
    throw new ConfigError(`${name} must be a URL that begins with ${kinds}.`)
  return input.replace(/\/$/, '')
}

const postgresIn = (env: Env, name: string) => urlIn(env, name, ['postgres:', 'postgresql:'])

/** Parses `tcp://scanner:3310` or `unix:/run/clamav/clamd.ctl`. */
function clamdIn(env: Env, name: string): Config['clamd'] {
  const input = text(env, name)
  if (input === null) return null
  const path = /^unix:(\/.+)$/.exec(input)?.[1]
  if (path !== undefined) return { path }
  const url = URL.canParse(input) ? new URL(input) : null
  if (url?.protocol !== 'tcp:' || url.hostname === '' || url.port === '')
    throw new ConfigError(`${name} must be tcp://host:port or unix:/path of ClamAV's daemon, not "${input}".`)
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port) }
}

const BUCKET_ALONE = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_PREFIX']

function bucketIn(env: Env): Config['s3'] {
  const bucket = text(env, 'S3_BUCKET')
  if (bucket === null) {
    const lonely = BUCKET_ALONE.find((name) => text(env, name) !== null)
    if (lonely) throw new ConfigError(`${lonely} is set without S3_BUCKET, the bucket that it is about.`)
    return null
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new ConfigError(`S3_BUCKET must be a bucket's name such as town-files, not "${bucket}".`)
  const endpoint = urlIn(env, 'S3_ENDPOINT', ['http:', 'https:'])
  const region = text(env, 'S3_REGION') ?? (endpoint === null ? null : 'us-east-1')
  if (region === null) throw new ConfigError('S3_REGION is missing: S3_BUCKET needs it where there is no S3_ENDPOINT.')
  if (!/^[a-z0-9-]+$/.test(region))
    throw new ConfigError(`S3_REGION must be a region such as eu-west-1, not "${region}".`)
  const needed = (name: string) => {
    const input = text(env, name)
    if (input === null) throw new ConfigError(`${name} is missing: S3_BUCKET needs it.`)
    return input
  }
  const prefix = (text(env, 'S3_PREFIX') ?? '').replace(/\/$/, '')
  if (!/^([a-z0-9_-]+(\/[a-z0-9_-]+)*)?$/i.test(prefix))
    throw new ConfigError(`S3_PREFIX must be letters, digits, - and _ with slashes between, not "${prefix}".`)
  return {
    bucket,
    endpoint,
    region,
    accessKeyId: needed('S3_ACCESS_KEY_ID'),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
    prefix: prefix && `${prefix}/`,
  }
}

const STRIPE_ALONE = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_URL', 'STRIPE_JS_URL']

function stripeIn(env: Env, needed: boolean): StripeConfig | null {
  const secretKey = text(env, 'STRIPE_SECRET_KEY')
  if (secretKey === null) {
    if (needed) throw new ConfigError('STRIPE_SECRET_KEY is missing: PAYMENT_PROVIDER=stripe needs it.')
    const lonely = STRIPE_ALONE.find((name) => text(env, name) !== null)
    if (lonely) throw new ConfigError(`${lonely} is set without STRIPE_SECRET_KEY.`)
    return null
  }
  const kind = /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey)?.[1]
  if (!kind)
    throw new ConfigError('STRIPE_SECRET_KEY must be a key that begins with sk_test_, rk_test_, sk_live_ or rk_live_.')
  const publishableKey = text(env, 'STRIPE_PUBLISHABLE_KEY') ?? ''
  if (!new RegExp(`^pk_${kind}_\\w+$`).test(publishableKey))
    throw new ConfigError(
      `STRIPE_PUBLISHABLE_KEY must be the key beside STRIPE_SECRET_KEY, which begins with pk_${kind}_.`,
    )
  const webhookSecrets = (text(env, 'STRIPE_WEBHOOK_SECRET') ?? '').split(',').map((one) => one.trim())
  if (!webhookSecrets.every((one) => /^whsec_\w+$/.test(one)))
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET must be a secret that begins with whsec_, or several with commas between.',
    )
  return {
    ...{ secretKey, publishableKey, webhookSecrets, test: kind === 'test' },
    apiUrl: urlIn(env, 'STRIPE_API_URL', ['http:', 'https:']),
    jsUrl: urlIn(env, 'STRIPE_JS_URL', ['http:', 'https:']) ?? STRIPE_JS,
  }
}

/** URL of Stripe's script. The card networks require pages to load it from Stripe each time, never from a copy. */
const STRIPE_JS = 'https://js.stripe.com/dahlia/stripe.js'

const TWILIO_ALONE = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_CALL_FROM', 'TWILIO_API_URL']
/** Fictional number reserved by the phone companies. It reaches no one. */
const SANDBOX_NUMBER = '+17175550100'

interface AroundSms {
  production: boolean
  demo: boolean
  secretKey: string
  nearUrl: string
}

function phonesIn(env: Env, around: AroundSms): Pick<Config, 'sms' | 'voice'> {
  const sms = smsIn(env, around)
  const input = text(env, 'TWILIO_CALL_FROM')
  if (input !== null && !/^\+1\d{10}$/.test(input))
    throw new ConfigError('TWILIO_CALL_FROM must be a number such as +17175550100.')
  const from = input ?? (sms.from.startsWith('+') ? sms.from : '')
  return { sms, voice: { offered: sms.offered, from } }
}

function smsIn(env: Env, { production, demo, secretKey, nearUrl }: AroundSms): Config['sms'] {
  const provider = oneOf(env, 'SMS_PROVIDER', ['sandbox', 'twilio'], 'sandbox')
  if (provider === 'sandbox') {
    const lonely = TWILIO_ALONE.find((name) => text(env, name) !== null)
    if (lonely) throw new ConfigError(`${lonely} is set without SMS_PROVIDER=twilio, which it is about.`)
    const authToken = createHmac('sha256', secretKey).update('the sandbox of texts').digest('hex')
    const offered = !production || demo || text(env, 'SMS_PROVIDER') !== null
    return { provider, offered, from: SANDBOX_NUMBER, authToken, accountSid: '', apiUrl: '', nearUrl }
  }
  if (demo) throw new ConfigError('DEMO=1 is refused together with SMS_PROVIDER=twilio, which sends real texts.')
  const needed = (name: string, pattern: RegExp, expectation: string) => {
    const input = text(env, name)
    if (input === null) throw new ConfigError(`${name} is missing: SMS_PROVIDER=twilio needs it.`)
    if (!pattern.test(input)) throw new ConfigError(`${name} must be ${expectation}.`)
    return input
  }
  // Twilio signs the URL that it calls. The portal can't guess that URL, so PUBLIC_URL must be set.
  if (text(env, 'PUBLIC_URL') === null)
    throw new ConfigError('PUBLIC_URL is missing: SMS_PROVIDER=twilio needs it, since Twilio calls us there.')
  return {
    provider,
    offered: true,
    accountSid: needed('TWILIO_ACCOUNT_SID', /^AC[0-9a-fA-F]{32}$/, "an account's id, AC and 32 hexadecimal digits"),
    authToken: needed('TWILIO_AUTH_TOKEN', /^[0-9a-zA-Z]{32}$/, "the account's token of 32 letters and digits"),
    from: needed(
      'TWILIO_FROM',
      /^(\+1\d{10}|MG[0-9a-fA-F]{32})$/,
      'a number such as +17175550100, or a messaging service, MG…',
    ),
    apiUrl: urlIn(env, 'TWILIO_API_URL', ['http:', 'https:']) ?? 'https://api.twilio.com',
    nearUrl,
  }
}

function flagIn(env: Env, name: string, otherwise: boolean): boolean {
  const input = text(env, name)
  if (input !== null && input !== '0' && input !== '1') throw new ConfigError(`${name} must be 1 or 0, not "${input}".`)
  return input === null ? otherwise : input === '1'
}

function oneOf<const T extends string>(env: Env, name: string, allowed: readonly T[], otherwise: T): T {
  const input = text(env, name)
  if (input === null) return otherwise
  const match = allowed.find((value) => value === input)
  if (match === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${input}".`)
  return match
}

function secretIn(env: Env, name: string): string | null {
  const input = text(env, name)
  if (input !== null && input.length < 16) throw new ConfigError(`${name} must have at least 16 characters.`)
  return input
}

const BANKFILE_ALONE = ['BANKFILE_PUBLIC_URL', 'BANKFILE_API_KEY', 'BANKFILE_WEBHOOK_SECRET', 'BANKFILE_LIVE']

function bankfileIn(env: Env): Config['bankfile'] {
  const url = urlIn(env, 'BANKFILE_URL', ['http:', 'https:'])
  if (url === null) {
    const lonely = BANKFILE_ALONE.find((name) => text(env, name) !== null)
    if (lonely) throw new ConfigError(`${lonely} is set without BANKFILE_URL.`)
    return null
  }
  const [apiKey, webhookSecret] = [secretIn(env, 'BANKFILE_API_KEY'), secretIn(env, 'BANKFILE_WEBHOOK_SECRET')]
  if (apiKey === null || webhookSecret === null)
    throw new ConfigError(
      `${apiKey === null ? 'BANKFILE_API_KEY' : 'BANKFILE_WEBHOOK_SECRET'} is missing: BANKFILE_URL needs it.`,
    )
  const publicOrigin = urlIn(env, 'BANKFILE_PUBLIC_URL', ['http:', 'https:']) ?? url
  return { url, publicOrigin, apiKey, webhookSecret, live: text(env, 'BANKFILE_LIVE') === '1' }
}

function accessCodesIn(env: Env): Config['accessCodes'] {
  const url = urlIn(env, 'ACCESS_CODES_URL', ['http:', 'https:'])
  const key = secretIn(env, 'ACCESS_CODES_KEY')
  if ((url === null) !== (key === null))
    throw new ConfigError(`${url === null ? 'ACCESS_CODES_URL' : 'ACCESS_CODES_KEY'} is missing: the other one is set.`)
  return url === null || key === null ? null : { url, key }
}

function secretKeyIn(env: Env, dataDir: string): string {
  const input = text(env, 'SECRET_KEY')
  const key = input ?? storedKey(dataDir)
  if (/^[\w+/-]{43}=?$/.test(key)) return key
  throw new ConfigError(
    input === null
      ? `${KEY_FILE} in DATA_DIR ${dataDir} is damaged: it must hold 32 bytes in base64. Bring back its copy, or give SECRET_KEY.`
      : 'SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` makes them.',
  )
}

function emailAddressIn(env: Env, name: string, otherwise: string): string {
  const input = text(env, name) ?? otherwise
  if (!/^(?:[^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(input))
    throw new ConfigError(`${name} must be an address such as "Town portal <no-reply@towns.example>".`)
  return input
}

/** Reads the trusted proxies. A trusted proxy can claim any caller address, so the setting must name each proxy. */
function proxiesIn(env: Env, name: string): false | string[] {
  const input = text(env, name)
  if (input === null || input === '0') return false
  const proxies = input.split(',').map((proxy) => proxy.trim())
  const invalid = proxies.find((proxy) => !PROXIES.includes(proxy) && !isNetwork(proxy))
  if (invalid !== undefined)
    throw new ConfigError(
      `${name} must name whom to believe: addresses and networks such as 10.0.0.0/8, loopback, or uniquelocal, not "${invalid}".`,
    )
  return proxies
}

/** True for an IP address, or a network with a prefix length above 0. */
function isNetwork(proxy: string): boolean {
  const [address = '', length, ...more] = proxy.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= bits))
  )
}

const isThisMachine = (host: string) => /^(?:127\.[\d.]+|::1|(?:.+\.)?localhost)$/.test(host)

/** Refuses demo data on a public host, because the README contains the passwords of the demo accounts. */
function refusePublicDemo(host: string, baseHost: string): void {
  const [name, value] = isThisMachine(host) ? ['BASE_HOST', baseHost] : ['HOST', host]
  if (!isThisMachine(value))
    throw new ConfigError(
      `${name}=${value} lets others reach the demo, whose passwords are public. Set DEMO=0, or DEMO_PUBLIC=1 if that is what you want.`,
    )
}

function freeze(config: Config): Config {
  for (const value of Object.values(config)) if (typeof value === 'object' && value !== null) Object.freeze(value)
  return Object.freeze(config)
}
