import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals texts that the database keeps and nobody who reads it, or a backup of it, may see (a second factor's secret,
 * another system's password). Columns of sealed texts end in `_sealed`: by that the start finds them (secret-key.ts).
 */
export interface Secrets {
  /** The text under the installation's key: `<key's fingerprint>.<base64url>`, another one each time. */
  seal(text: string): string
  /** The text again. @throws Error where it was sealed with another key, or changed since. */
  open(sealed: string): string
  /** 32 bytes by which a text is known again, and from which it cannot be found without the key. */
  mark(text: string): Buffer
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** By which a key is known without being told: 16 hex digits. */
export const fingerprintOf = (key: string): string => derived(key, 'fingerprint', 8).toString('hex')

/** @param key 32 bytes in base64, as `Config.secretKey` has them */
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

/** A key for one use, so that what one gives away says nothing of another. */
const derived = (key: string, use: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', `mainstreet ${use}`, bytes))
