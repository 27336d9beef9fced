import { randomInt } from 'node:crypto'

/** Characters of a code, without letters and digits that look alike. Each character carries almost five bits. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** Returns a random code that a person types from a printed page or an email. */
export const typedCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
