import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../test/harness.ts'
import { ConfigError, type Env, type Mode, originOf, readConfig } from './config.ts'
import { StartError } from './start-error.ts'

const DATA_DIR = testFolder()
const read = (env: Env = {}, mode: Mode = 'start') => readConfig({ DATA_DIR, ...env }, mode)

describe('no variables', () => {
  test('runs the demo on loopback with the embedded database and sandbox gateway', () => {
    const config = read()
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseHost: 'localhost',
      demo: true,
      database: { url: null },
    })
    expect(config.gateway).toMatchObject({
      run: true,
      port: 3001,
      url: 'http://127.0.0.1:3001',
      publicOrigin: 'http://localhost:3001',
    })
    expect(config.gateway.frameAncestors).toEqual(['http://*.localhost:3000'])
    expect(Object.isFrozen(config) && Object.isFrozen(config.gateway)).toBe(true)
  })

  test('listens on all networks in production, without demo data and sandbox gateway', () => {
    expect(read({}, 'production')).toMatchObject({ host: '0.0.0.0', demo: false, gateway: { run: false } })
    expect(read({ PAYMENT_PROVIDER: 'sandbox' }, 'production').gateway.run).toBe(true)
  })
})

describe('variables', () => {
  test('derives the gateway from PORT and loads no demo into external databases', () => {
    const config = read({ PORT: '4000', DATABASE_URL: 'postgres://me:secret@db/portal' })
    expect(config).toMatchObject({ demo: false, publicUrl: 'http://localhost:4000', gateway: { port: 4001 } })
    expect(read({ DATABASE_URL: 'postgres://me:secret@db/portal', DEMO: '1' }).demo).toBe(true)
  })

  test('treats an empty variable as absent and ignores unknown ones', () => {
    expect(read({ PORT: '', npm_config_port: 'nonsense', PORTS: 'x' }).port).toBe(3000)
  })

  test('builds public addresses from the base host', () => {
    const config = read({ DEMO: '0', BASE_HOST: 'towns.example', PUBLIC_URL: 'https://towns.example/' })
    expect(originOf(config, 'maplegrove')).toBe('https://maplegrove.towns.example')
    expect(originOf(config, null)).toBe('https://towns.example')
    expect(config.gateway.frameAncestors).toEqual(['https://*.towns.example'])
  })

  test('does not start a gateway that runs elsewhere', () => {
    expect(read({ GATEWAY_URL: 'http://10.0.0.5:9000' }).gateway).toMatchObject({
      run: false,
      url: 'http://10.0.0.5:9000',
    })
  })

  test('counts only the named proxies', () => {
    expect(read({ TRUST_PROXY: 'loopback, uniquelocal, 10.0.0.0/8, fd00::/8, 192.0.2.7' }).trustProxy).toEqual([
      ...['loopback', 'uniquelocal', '10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
    ])
    expect(read().trustProxy).toBe(false)
  })
})

test('takes door codes from a bridge with a key, or from none', () => {
  const key = 'a key of sixteen or more'
  expect(read().accessCodes).toBeNull()
  expect(read({ ACCESS_CODES_URL: 'https://locks.example/v1', ACCESS_CODES_KEY: key }).accessCodes).toEqual({
    ...{ url: 'https://locks.example/v1', key },
  })
  expect(() => read({ ACCESS_CODES_URL: 'https://locks.example' })).toThrow('ACCESS_CODES_KEY is missing')
  expect(() => read({ ACCESS_CODES_KEY: key })).toThrow('ACCESS_CODES_URL is missing')
})

describe('text messages', () => {
  const twilio = {
    ...{ DEMO: '0', PUBLIC_URL: 'https://localhost', SMS_PROVIDER: 'twilio', TWILIO_FROM: '+17175550100' },
    ...{ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'f'.repeat(32) },
  }

  test('go to the sandbox, in production only if configured', () => {
    expect(read().sms).toMatchObject({ provider: 'sandbox', offered: true })
    expect(read({}, 'production').sms.offered).toBe(false)
    expect(read({ SMS_PROVIDER: 'sandbox' }, 'production').sms.offered).toBe(true)
  })

  test('go to Twilio with complete settings', () => {
    expect(read(twilio).sms).toMatchObject({ provider: 'twilio', offered: true, apiUrl: 'https://api.twilio.com' })
    expect(read({ ...twilio, TWILIO_FROM: `MG${'a'.repeat(32)}` }).sms.from).toMatch(/^MG/)
  })

  test.each([
    ['PUBLIC_URL', ''],
    ['DEMO', '1'],
    ['TWILIO_FROM', ''],
    ['TWILIO_FROM', '717-555-0100'],
    ['TWILIO_ACCOUNT_SID', ''],
    ['TWILIO_ACCOUNT_SID', 'AC1'],
    ['TWILIO_AUTH_TOKEN', ''],
    ['TWILIO_AUTH_TOKEN', 'secret-word'],
    ['TWILIO_API_URL', 'nonsense'],
    ['SMS_PROVIDER', 'sandbox'],
    ['SMS_PROVIDER', 'pigeons'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => read({ ...twilio, [name]: value })).toThrow(ConfigError)
    expect(() => read({ ...twilio, [name]: value })).not.toThrow(/secret-word|f{32}/)
  })
})

test.each<[variable: string, value: string]>([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '3e3'],
  ['PORT', '-1'],
  ['GATEWAY_PORT', '3000'],
  ['GATEWAY_PORT', 'next'],
  ['HOST', 'http://x'],
  ['BASE_HOST', 'towns.example:80'],
  ['BASE_HOST', '10.0.0.1'],
  ['PUBLIC_URL', 'https://other.example'],
  ['DATABASE_URL', 'mysql://a:secret-word@b/c'],
  ['DATABASE_APP_URL', 'secret-word'],
  ['DATABASE_LISTEN_URL', 'http://secret-word'],
  ['DRAIN_SECONDS', '-1'],
  ['DEMO', 'yes'],
  ['TRUST_PROXY', 'everybody'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', 'loopback, ::/0'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['DEMO_PUBLIC', 'yes'],
  ['METRICS_TOKEN', 'secret-word'],
  ['SMTP_URL', 'http://secret-word'],
  ['MAIL_FROM', 'nobody'],
  ['SUPPORT_FORM_URL', 'javascript:alert(1)'],
  ['LOG_LEVEL', 'loud'],
  ['PAYMENT_PROVIDER', 'cash'],
  ['GATEWAY_API_KEY', 'short'],
  ['SECRET_KEY', 'secret-word'],
  ['SSO_LOOPBACK', 'yes'],
  ['OPEN311_LOOPBACK', 'yes'],
  ['ALERTS_LOOPBACK', 'yes'],
  ['S3_BUCKET', 'Town Files'],
  ['S3_ENDPOINT', 'https://files.example'],
  ['S3_SECRET_ACCESS_KEY', 'secret-word'],
])('stops the start for %s=%s in one line without secrets', (variable, value) => {
  let message = ''
  try {
    read({ [variable]: value })
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    message = (error as Error).message
  }
  expect(message).toContain(variable)
  expect(message).not.toContain('secret-word')
  expect(message).not.toContain('\n')
})

describe('bucket for files', () => {
  const whole = {
    S3_BUCKET: 'town-files',
    S3_ENDPOINT: 'https://files.example/',
    S3_ACCESS_KEY_ID: 'portal',
    S3_SECRET_ACCESS_KEY: 'secret-word',
  }

  test('reads a bucket with all its settings', () => {
    expect(read().s3).toBeNull()
    expect(read({ ...whole, S3_PREFIX: 'portal/uploads/' }).s3).toEqual({
      bucket: 'town-files',
      endpoint: 'https://files.example',
      region: 'us-east-1',
      accessKeyId: 'portal',
      secretAccessKey: 'secret-word',
      prefix: 'portal/uploads/',
    })
    expect(read({ ...whole, S3_ENDPOINT: '', S3_REGION: 'eu-west-1' }).s3).toMatchObject({ endpoint: null, prefix: '' })
  })

  test.each<[text: string, env: Env]>([
    ['S3_ACCESS_KEY_ID is missing', { S3_ACCESS_KEY_ID: '' }],
    ['S3_SECRET_ACCESS_KEY is missing', { S3_SECRET_ACCESS_KEY: '' }],
    ['S3_REGION is missing', { S3_ENDPOINT: '' }],
    ['S3_REGION must be', { S3_REGION: 'EU West' }],
    ['S3_ENDPOINT must be', { S3_ENDPOINT: 'files.example' }],
    ['S3_PREFIX must be', { S3_PREFIX: '../other' }],
    ['S3_REGION is set without S3_BUCKET', { S3_BUCKET: '', S3_ENDPOINT: '', S3_REGION: 'eu-west-1' }],
  ])('%s', (text, env) => {
    expect(() => read({ ...whole, ...env })).toThrow(text)
  })
})

test('refuses demo data together with a live payment provider', () => {
  expect(() => read({ DEMO: '1', PAYMENT_PROVIDER: 'stripe', ...STRIPE })).toThrow('DEMO=1 is refused')
  expect(read({ PAYMENT_PROVIDER: 'stripe', ...STRIPE })).toMatchObject({ demo: false, gateway: { run: false } })
})

const STRIPE = {
  ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1,whsec_2' },
}

test('allows the sandbox with Stripe in test mode, not with live keys', () => {
  expect(read(STRIPE)).toMatchObject({
    stripe: { test: true, webhookSecrets: ['whsec_1', 'whsec_2'] },
    gateway: { available: true },
  })
  const live = { ...STRIPE, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  expect(() => read(live)).toThrow('the sandbox is refused beside one')
  expect(read({ ...live, PAYMENT_PROVIDER: 'stripe' })).toMatchObject({
    stripe: { test: false },
    gateway: { available: false },
  })
  expect(() => read({ ...live, PAYMENT_PROVIDER: 'stripe', DEMO: '1' })).toThrow('DEMO=1 is refused')
})

test.each([
  [{ STRIPE_SECRET_KEY: 'secret' }, 'STRIPE_SECRET_KEY must be a key'],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, 'which begins with pk_test_'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_1,' }, 'STRIPE_WEBHOOK_SECRET must be a secret'],
  [{ STRIPE_SECRET_KEY: '' }, 'is set without STRIPE_SECRET_KEY'],
])('stops the start for a wrong Stripe setting: %o', (invalid, text) => {
  expect(() => read({ ...STRIPE, ...invalid })).toThrow(text)
})

describe('demo with public passwords', () => {
  const COMPANIES = { BASE_HOST: 'towns.example' }
  test.each<[where: string, env: Env, mode?: Mode]>([
    ['an address of every network', { HOST: '0.0.0.0' }],
    ['an address of every network, in version 6', { HOST: '::' }],
    ['an address of its own', { HOST: '192.0.2.7' }],
    ['a name', { HOST: 'portal.example' }],
    ['a host that hangs from the internet', COMPANIES],
    ['production', { DEMO: '1' }, 'production'],
  ])('is refused on %s, unless DEMO_PUBLIC is set', (_where, env, mode) => {
    expect(() => read(env, mode)).toThrow(/^(?:HOST|BASE_HOST).* DEMO=0.* DEMO_PUBLIC=1/)
    expect(read({ ...env, DEMO_PUBLIC: '1' }, mode).demo).toBe(true)
    expect(read({ ...env, DEMO: '0' }, mode).demo).toBe(false)
  })

  test.each([{}, { HOST: '127.0.0.5' }, { HOST: '::1' }, { HOST: 'localhost' }, { BASE_HOST: 'portal.localhost' }])(
    'starts if only this machine reaches it: %j',
    (env: Env) => expect(read(env).demo).toBe(true),
  )
})

describe('generated secrets', () => {
  test('stay private and unchanged at every start, unless set by variables', () => {
    const [first, second] = [read().gateway, read().gateway]
    expect(first.apiKey).toBe(second.apiKey)
    expect(first.webhookSecret).not.toBe(first.apiKey)
    const path = join(DATA_DIR, 'secrets.json')
    expect(readFileSync(path, 'utf8')).toContain(first.apiKey)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(read({ GATEWAY_API_KEY: 'a-key-of-twenty-chars' }).gateway.apiKey).toBe('a-key-of-twenty-chars')
  })

  test('include one sealing key, unless SECRET_KEY is set', () => {
    const path = join(DATA_DIR, 'secret.key')
    expect(read().secretKey).toBe(read().secretKey)
    expect(`${read().secretKey}\n`).toBe(readFileSync(path, 'utf8'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const keyBytes = Buffer.alloc(32, 1).toString('base64')
    expect(read({ SECRET_KEY: keyBytes }).secretKey).toBe(keyBytes)
    const damaged = testFolder()
    writeFileSync(join(damaged, 'secret.key'), 'half a k')
    expect(() => read({ DATA_DIR: damaged })).toThrow(/^secret\.key in DATA_DIR .* is damaged/)
  })

  test.each(['/proc/mainstreet', '/dev/null/data'])('reports a data folder that it cannot write: %s', (folder) => {
    expect(() => readConfig({ DATA_DIR: folder }, 'start')).toThrow(/^DATA_DIR .* cannot be written \(.*\)\.$/)
  })
})
