import { translated } from '../shared/words.ts'

/** A failure that the caller is told about, in the one shape of every failed call. Anything else is a 500. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown> | undefined

  constructor(status: number, code: string, message: string, details?: Record<string, unknown>) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

export const malformed = (message: string, details?: Record<string, unknown>) =>
  new Refusal(400, 'malformed', message, details)
export const notSignedIn = (message = 'Please sign in again.') => new Refusal(401, 'not_signed_in', message)
export const notAllowed = (message = 'You are not allowed to do this.') => new Refusal(403, 'not_allowed', message)
export const notFound = (message = 'This was not found.') => new Refusal(404, 'not_found', message)
/** The thing is in a state that does not allow this; the message names the state. */
export const conflict = (code: string, message: string, details?: Record<string, unknown>) =>
  new Refusal(409, code, message, details)
/** A rule of the domain says no. `fields` puts sentences under the fields of a form. */
export const rejected = (message: string, fields?: Record<string, string>) =>
  new Refusal(422, 'rejected', message, fields && { fields })
/** Refuses two changes of which each is right by itself, and both together are not: the first mistake, under its field. */
export function refuseMistakes(mistakes: Partial<Record<string, string>>): void {
  for (const [field, says] of Object.entries(mistakes)) if (says) throw rejected(says, { [field]: says })
}
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new Refusal(429, 'too_many', message, { retryAfterSeconds })

/** The body of every failed call, in the language of whoever made it. `message` and `msg` hold the same text, since callers read either. */
export const failureBody = (failure: Refusal) => ({
  success: false as const,
  message: translated(failure.message),
  msg: translated(failure.message),
  code: failure.code,
  ...(failure.details && { details: withSentences(failure.details) }),
})

/** The sentences under the fields of a form are read, too. */
const withSentences = (details: Record<string, unknown>): Record<string, unknown> => {
  const { fields } = details
  if (typeof fields !== 'object' || fields === null) return details
  const told = Object.entries(fields).map(([name, says]) => [name, typeof says === 'string' ? translated(says) : says])
  return { ...details, fields: Object.fromEntries(told) }
}
