import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encryption of stored texts, such as passwords for other systems, so that readers of the database or a backup can't
 * see them. The columns of sealed texts have names ending in `_sealed`, so that the portal finds them at startup
 * (secret-key.ts).
 */
export interface Secrets {
  /**
   * Seals (encrypts) a text with the installation's key. The result is `<key's fingerprint>.<base64url>` and differs
   * each time.
   */
  seal(text: string): string
  /**
   * Decrypts a sealed text.
   * @throws Error if another key sealed the text, or the text was changed
   */
  open(sealed: string): string
  /** Returns 32 bytes that identify a text. Without the key, the bytes do not reveal the text. */
  mark(text: string): Buffer
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns 16 hex digits that identify a key without revealing it. */
export const fingerprintOf = (key: string): string => derived(key, 'fingerprint', 8).toString('hex')

/**
 * Creates the functions that seal and open texts.
 * @param key 32 bytes in base64, as in `Config.secretKey`
 */
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

/** Derives a separate key for each use, so that a leaked key does not reveal the others. */
const derived = (key: string, use: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', `mainstreet ${use}`, bytes))
