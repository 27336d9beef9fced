import { randomInt } from 'node:crypto'

/** Without letters and digits that look alike: nearly five bits each. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A random code of so many letters and digits, for somebody to type from paper or a mail. */
export const typedCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
