import { createHmac } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { keepSecrets, KEY_FILE, keptKey } from './made-secrets.ts'
import { StartError } from './start-error.ts'

export type Mode = 'start' | 'dev' | 'production' | 'test'
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Everything that the environment decides, read once, checked, and frozen. */
export interface Config {
  readonly mode: Mode
  readonly port: number
  readonly host: string
  /** The host that the towns' subdomains hang from. */
  readonly baseHost: string
  /** The bare host's origin as browsers see it, without a slash at the end. See `originOf`. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Compiled catalogues of other languages than English, as the build writes them. */
  readonly languagesDir: string
  /** Where billing systems lay their files, a folder for each town. Null: nowhere. */
  readonly billingFolder: string | null
  readonly database: {
    /** Null: the embedded server. */
    readonly url: string | null
    readonly appUrl: string | null
    readonly platformUrl: string | null
    readonly gatewayUrl: string | null
    /** Straight to PostgreSQL, where a pooler stands in the application's URL. */
    readonly listenUrl: string | null
  }
  /** Loads the demo towns into an empty database. */
  readonly demo: boolean
  /** Whose forwarded addresses count, as Fastify takes it. */
  readonly trustProxy: false | string[]
  readonly metricsToken: string | null
  /** What secrets.ts seals texts with: 32 bytes in base64, the same for all portals of a database. */
  readonly secretKey: string
  /** Single sign-on may reach issuers on this machine, without https: for tests and trials alone. */
  readonly ssoLoopback: boolean
  /** Other portals may be on this machine, without https, likewise. */
  readonly open311Loopback: boolean
  /** Sources of alerts may be on this machine, without https, likewise. */
  readonly alertsLoopback: boolean
  /** How long a session lives at most, and without a call; in hours. */
  readonly sessions: { readonly hours: number; readonly idleHours: number }
  /** How long a portal that was asked to go answers on, saying on /readyz that it is leaving. */
  readonly drainSeconds: number
  /** Where jobs are done: in a process beside the portal's own, so that pages never wait for them, or in the same one. */
  readonly jobs: 'beside' | 'here'
  /** Where new passwords are looked up among those of data leaks: a service (by a part of a hash), or a list of our own. */
  readonly breachCheck: 'online' | 'list'
  readonly mail: { readonly smtpUrl: string | null; readonly from: string }
  readonly serverName: string
  readonly supportFormUrl: string | null
  readonly supportPhone: string
  readonly logLevel: LogLevel
  /** The portal's own version, from package.json. */
  readonly version: string
  /** The bucket for uploads. Null: they are kept in the data folder. */
  readonly s3: {
    readonly bucket: string
    /** Null: Amazon's own, in `region`. */
    readonly endpoint: string | null
    readonly region: string
    readonly accessKeyId: string
    readonly secretAccessKey: string
    /** What keys begin with: empty, or with a slash at the end. */
    readonly prefix: string
  } | null
  /** Where ClamAV's daemon listens. Null: files are not scanned for viruses. */
  readonly clamd: { readonly host: string; readonly port: number } | { readonly path: string } | null
  readonly sms: {
    readonly provider: 'sandbox' | 'twilio'
    /** Whether residents are offered texts: in production not where a sandbox would swallow them. */
    readonly offered: boolean
    /** The number that texts come from, `+1…`, or with Twilio the messaging service, `MG…`. */
    readonly from: string
    /** By what the provider signs what it tells us. */
    readonly authToken: string
    readonly accountSid: string
    readonly apiUrl: string
    /** Where this portal is reached from this machine, for what the sandbox tells it. */
    readonly nearUrl: string
  }
  /** Calls by telephone, by whoever carries the texts. */
  readonly voice: {
    /** Whether residents are offered calls: in production not where a sandbox would swallow them. */
    readonly offered: boolean
    /** The number that calls come from; empty where only a messaging service is known, which can't call. */
    readonly from: string
  }
  /** Where codes for doors come from: the bridge of a lock maker (docs/access-codes.md). Null: the sandbox. */
  readonly accessCodes: { readonly url: string; readonly key: string } | null
  /** The payment provider of towns that are new; each town may have another of those that are connected. */
  readonly paymentProvider: 'sandbox' | 'stripe'
  /** The bank-file provider (docs/bank-files.md). Null: this portal has none. */
  readonly bankfile: BankfileConfig | null
  /** Null: this portal is not connected to Stripe. */
  readonly stripe: StripeConfig | null
  readonly gateway: {
    /** Whether towns may use it: not beside a provider where money moves. */
    readonly available: boolean
    /** Whether this portal starts the sandbox gateway as its child: not where GATEWAY_URL names one that runs elsewhere. */
    readonly run: boolean
    readonly port: number
    /** Where the portal reaches it. */
    readonly url: string
    /** Where a browser reaches it. */
    readonly publicOrigin: string
    /** Where it tells the portal what happened. */
    readonly webhookUrl: string
    readonly apiKey: string
    readonly webhookSecret: string
    /** Who may frame its hosted fields. */
    readonly frameAncestors: readonly string[]
  }
}

/** Where the bank-file provider is reached, by us and by browsers, and what we and it know each other by. */
interface BankfileConfig {
  readonly url: string
  readonly publicOrigin: string
  readonly apiKey: string
  readonly webhookSecret: string
  /** Money moves there. */
  readonly live: boolean
}

export interface StripeConfig {
  readonly secretKey: string
  readonly publishableKey: string
  /** Of the endpoints that Stripe sends events to; one that is being replaced counts beside the new one. */
  readonly webhookSecrets: readonly string[]
  /** Null: Stripe's own. */
  readonly apiUrl: string | null
  /** The script of its card and bank fields. */
  readonly jsUrl: string
  /** Its keys are those of test mode, in which no money moves. */
  readonly test: boolean
}

/** A malformed setting. The message is one line that names the variable, and never its value where that is a secret. */
export class ConfigError extends StartError {}

export type Env = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** Where the build puts them (`web/build/catalogs.ts`). */
const BUILT_LANGUAGES = fileURLToPath(new URL('../dist/web/languages', import.meta.url))
const PROVIDERS = ['sandbox', 'stripe'] as const
const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const PROXIES = ['loopback', 'uniquelocal']

/**
 * Reads the environment. Variables that are not ours are not looked at; an empty one counts as absent.
 * The gateway's secrets are made once and kept in the data folder unless they are given.
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
  // In production, pretended payments are for those who ask for them.
  const run = !live && gatewayUrl === null && (!production || text(env, 'PAYMENT_PROVIDER') !== null)
  const secrets = keepSecrets(dataDir, {
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
    mail: {
      smtpUrl: urlIn(env, 'SMTP_URL', ['smtp:', 'smtps:']),
      from: mailAddressIn(env, 'MAIL_FROM', `Mainstreet <no-reply@${baseHost}>`),
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

/** The origin of a town's host, of `admin`, or of the bare host (null), for links in mails and pages. */
export function originOf(config: Pick<Config, 'publicUrl'>, subdomain: string | null): string {
  const { protocol, host } = new URL(config.publicUrl)
  return `${protocol}//${subdomain === null ? '' : `${subdomain}.`}${host}`
}

const text = (env: Env, name: string): string | null => env[name]?.trim() || null

const folderIn = (env: Env, name: string): string | null => {
  const given = text(env, name)
  return given === null ? null : resolve(given)
}

function portIn(env: Env, name: string, otherwise: number): number {
  const given = text(env, name)
  if (given === null) return otherwise
  const port = Number(given)
  if (!/^\d{1,5}$/.test(given) || port < 1 || port > 65_535)
    throw new ConfigError(`${name} must be a port from 1 to 65535, not "${given}".`)
  return port
}

function hoursIn(env: Env, name: string, otherwise: number): number {
  const given = text(env, name)
  if (given === null) return otherwise
  const hours = Number(given)
  if (!(hours > 0 && hours <= 720)) throw new ConfigError(`${name} must be hours, more than 0 and at most 720.`)
  return hours
}

function secondsIn(env: Env, name: string, otherwise: number): number {
  const given = text(env, name)
  if (given === null) return otherwise
  if (!/^\d{1,3}$/.test(given)) throw new ConfigError(`${name} must be seconds from 0 to 999, not "${given}".`)
  return Number(given)
}

function hostIn(env: Env, name: string, otherwise: string): string {
  const given = (text(env, name) ?? otherwise).toLowerCase()
  if (!HOST_NAME.test(given) || isIP(given))
    throw new ConfigError(`${name} must be a host name such as towns.example, not "${given}".`)
  return given
}

function addressIn(env: Env, name: string, otherwise: string): string {
  const given = text(env, name) ?? otherwise
  if (!isIP(given) && !HOST_NAME.test(given))
    throw new ConfigError(`${name} must be an address to listen on, not "${given}".`)
  return given
}

const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'

function publicUrlIn(env: Env, baseHost: string, port: number): string {
  const given = urlIn(env, 'PUBLIC_URL', ['http:', 'https:'])
  if (given === null) return `http://${baseHost}${port === 80 ? '' : `:${port}`}`
  if (new URL(given).hostname !== baseHost)
    throw new ConfigError(`PUBLIC_URL must be a URL of BASE_HOST (${baseHost}).`)
  return given
}

/** The values of URLs stay out of the message: they may hold passwords. A path is kept, a slash at the end is not. */
function urlIn(env: Env, name: string, protocols: readonly string[]): string | null {
  const given = text(env, name)
  if (given === null) return null
  const kinds = protocols.map((protocol) => `${protocol}//`).join(' or ')
  if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
    throw new ConfigError(`${name} must be a URL that begins with ${kinds}.`)
  return given.replace(/\/$/, '')
}

const postgresIn = (env: Env, name: string) => urlIn(env, name, ['postgres:', 'postgresql:'])

/** `tcp://scanner:3310`, or `unix:/run/clamav/clamd.ctl`. */
function clamdIn(env: Env, name: string): Config['clamd'] {
  const given = text(env, name)
  if (given === null) return null
  const path = /^unix:(\/.+)$/.exec(given)?.[1]
  if (path !== undefined) return { path }
  const url = URL.canParse(given) ? new URL(given) : null
  if (url?.protocol !== 'tcp:' || url.hostname === '' || url.port === '')
    throw new ConfigError(`${name} must be tcp://host:port or unix:/path of ClamAV's daemon, not "${given}".`)
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
    const given = text(env, name)
    if (given === null) throw new ConfigError(`${name} is missing: S3_BUCKET needs it.`)
    return given
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

/** The card networks ask that it be loaded from there each time, and never from a copy. */
const STRIPE_JS = 'https://js.stripe.com/dahlia/stripe.js'

const TWILIO_ALONE = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_CALL_FROM', 'TWILIO_API_URL']
/** A number of the telephone companies' own for fiction, which reaches nobody. */
const SANDBOX_NUMBER = '+17175550100'

interface AroundSms {
  production: boolean
  demo: boolean
  secretKey: string
  nearUrl: string
}

function phonesIn(env: Env, around: AroundSms): Pick<Config, 'sms' | 'voice'> {
  const sms = smsIn(env, around)
  const given = text(env, 'TWILIO_CALL_FROM')
  if (given !== null && !/^\+1\d{10}$/.test(given))
    throw new ConfigError('TWILIO_CALL_FROM must be a number such as +17175550100.')
  const from = given ?? (sms.from.startsWith('+') ? sms.from : '')
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
  const needed = (name: string, pattern: RegExp, says: string) => {
    const given = text(env, name)
    if (given === null) throw new ConfigError(`${name} is missing: SMS_PROVIDER=twilio needs it.`)
    if (!pattern.test(given)) throw new ConfigError(`${name} must be ${says}.`)
    return given
  }
  // Twilio signs the address that it calls, which we cannot guess.
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
  const given = text(env, name)
  if (given !== null && given !== '0' && given !== '1') throw new ConfigError(`${name} must be 1 or 0, not "${given}".`)
  return given === null ? otherwise : given === '1'
}

function oneOf<const T extends string>(env: Env, name: string, allowed: readonly T[], otherwise: T): T {
  const given = text(env, name)
  if (given === null) return otherwise
  const found = allowed.find((value) => value === given)
  if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${given}".`)
  return found
}

function secretIn(env: Env, name: string): string | null {
  const given = text(env, name)
  if (given !== null && given.length < 16) throw new ConfigError(`${name} must have at least 16 characters.`)
  return given
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
  const given = text(env, 'SECRET_KEY')
  const key = given ?? keptKey(dataDir)
  if (/^[\w+/-]{43}=?$/.test(key)) return key
  throw new ConfigError(
    given === null
      ? `${KEY_FILE} in DATA_DIR ${dataDir} is damaged: it must hold 32 bytes in base64. Bring back its copy, or give SECRET_KEY.`
      : 'SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` makes them.',
  )
}

function mailAddressIn(env: Env, name: string, otherwise: string): string {
  const given = text(env, name) ?? otherwise
  if (!/^(?:[^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(given))
    throw new ConfigError(`${name} must be an address such as "Town portal <no-reply@towns.example>".`)
  return given
}

/** Whoever is believed may say any address of a caller, so nobody is believed without being named. */
function proxiesIn(env: Env, name: string): false | string[] {
  const given = text(env, name)
  if (given === null || given === '0') return false
  const proxies = given.split(',').map((proxy) => proxy.trim())
  const wrong = proxies.find((proxy) => !PROXIES.includes(proxy) && !isNetwork(proxy))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must name whom to believe: addresses and networks such as 10.0.0.0/8, loopback, or uniquelocal, not "${wrong}".`,
    )
  return proxies
}

/** An address, or a network of some length: everybody is none. */
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

/** The passwords of the demo's accounts stand in the README. */
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
