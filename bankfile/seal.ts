import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts data that readers of the database must not see: account numbers, and files that contain them. */
export interface Seal {
  close(text: string): Buffer
  /** @throws Error if the data was sealed with another key or changed later */
  open(sealed: Buffer): string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @param key 32 bytes */
export function openSeal(key: Buffer): Seal {
  return {
    close: (text) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed) => {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
