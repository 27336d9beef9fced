import { randomBytes } from 'node:crypto'

/** Creates an id that no one can guess, with the prefix of its type, such as `pi_…`. */
export const newId = (prefix: string) => `${prefix}_${randomBytes(15).toString('base64url')}`
