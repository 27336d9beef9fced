import { expect, test } from 'vitest'
import { testClock, testDatabase } from '../test/harness.ts'
import { claimKey, refuseOtherKey, sealedWith } from './secret-key.ts'
import { fingerprintOf, openSecrets } from './secrets.ts'

const [key, otherKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const [secrets, others] = [openSecrets(key), openSecrets(otherKey)]

test('opens a sealed text, which looks different each time', () => {
  for (const text of ['', 'JBSWY3DPEHPK3PXP', 'ü€😀'.repeat(500)]) {
    expect(secrets.open(secrets.seal(text))).toBe(text)
    expect(secrets.seal(text)).not.toBe(secrets.seal(text))
  }
  expect(secrets.seal('x').startsWith(`${fingerprintOf(key)}.`)).toBe(true)
})

test('refuses a changed text or another key', () => {
  const sealed = secrets.seal('a secret')
  const [of, content = ''] = sealed.split('.')
  const turned = Buffer.from(content, 'base64url')
  turned[14] = (turned[14] ?? 0) ^ 1
  for (const invalid of [`${of}.${turned.toString('base64url')}`, sealed.slice(0, -4), `${of}.`, '', 'plain text'])
    expect(() => secrets.open(invalid), invalid).toThrow()
  expect(() => others.open(sealed)).toThrow('another SECRET_KEY')
})

test('recognizes a text by its mark under one key only', () => {
  expect(secrets.mark('code')).toEqual(secrets.mark('code'))
  expect(secrets.mark('code')).not.toEqual(secrets.mark('edoc'))
  expect(secrets.mark('code')).not.toEqual(others.mark('code'))
})

test('refuses another key for a database with sealed texts', async () => {
  const { pools, owner } = await testDatabase()
  const claim = (by: string) => claimKey(pools.platform, by, testClock())
  await claim(key)
  await claim(key)
  // The key may still change, because no text is sealed yet.
  await claim(otherKey)
  await claim(key)
  expect(await sealedWith(pools.platform)).toBeNull()
  await owner.query(`CREATE TABLE kept (note_sealed text); GRANT SELECT ON kept TO mainstreet_platform`)
  await owner.query('INSERT INTO kept VALUES (NULL), ($1)', [secrets.seal('a secret')])
  await claim(key)
  await expect(claim(otherKey)).rejects.toThrow(
    /^The database holds texts that were sealed with another key\. Set SECRET_KEY/,
  )
  expect(await sealedWith(pools.platform)).toBe(fingerprintOf(key))
})

test('restores only with the key of its sealed texts', () => {
  refuseOtherKey(null, key)
  refuseOtherKey(undefined, key)
  refuseOtherKey(fingerprintOf(key), key)
  expect(() => refuseOtherKey(fingerprintOf(key), otherKey)).toThrow(/^The backup holds texts .* SECRET_KEY/)
})
