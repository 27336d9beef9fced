import { randomBytes } from 'node:crypto'

/** A name that nobody guesses, with what it is of before it: `pi_…`. */
export const newId = (prefix: string) => `${prefix}_${randomBytes(15).toString('base64url')}`
