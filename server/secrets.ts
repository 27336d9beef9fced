import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals stored texts that readers of the database or a backup must not see (a second factor's secret, another system's
 * password). Column names of sealed texts end in `_sealed`, so that the start finds them (secret-key.ts).
 */
export interface Secrets {
  /** Seals a text with the installation's key: `<key's fingerprint>.<base64url>`, different each time. */
  seal(text: string): string
  /** Opens a sealed text. @throws Error if it was sealed with another key, or changed */
  open(sealed: string): string
  /** Returns 32 bytes that identify a text. The text can't be found from them without the key. */
  mark(text: string): Buffer
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns 16 hex digits that identify a key without revealing it. */
export const fingerprintOf = (key: string): string => derived(key, 'fingerprint', 8).toString('hex')

/** Opens the secrets. @param key 32 bytes in base64, as `Config.secretKey` has them */
export function openSecrets(key: string): Secrets {
  const fingerprint = fingerprintOf(key)
  const sealing = derived(key, 'sealed texts', 32)
  const marking = derived(key, 'marks', 32)
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, sealing, nonce)
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${fingerprint}.${Buffer.concat(parts).toString('base64url')}`
    },
    open: (sealed) => {
      const [of, content = ''] = sealed.split('.')
      if (of !== fingerprint) throw new Error('a text was sealed with another SECRET_KEY than this portal has')
      const bytes = Buffer.from(content, 'base64url')
      const decipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    mark: (text) => createHmac('sha256', marking).update(text).digest(),
  }
}

/** Derives a key for one use, so that one derived key reveals no other. */
const derived = (key: string, use: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', `mainstreet ${use}`, bytes))
