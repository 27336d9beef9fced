import { say, translated } from '../shared/messages.ts'

/** Error that the portal reports to the caller, in the format of all failed calls. Every other error becomes a 500. */
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
/** Creates the error for an action without permission. `fields` contains messages for form fields. */
export const notAllowed = (message = 'You are not allowed to do this.', fields?: Record<string, string>) =>
  new Refusal(403, 'not_allowed', message, fields && { fields })
export const notFound = (message = 'This item was not found.') => new Refusal(404, 'not_found', message)
/** Creates the error for a call of a module that the municipality has turned off. */
export const moduleOff = (module: string) =>
  new Refusal(404, 'module_off', say`${translated(module)} is turned off for this municipality.`)
/** Creates the error for an action that the entity's state does not allow. The message names the state. */
export const conflict = (code: string, message: string, details?: Record<string, unknown>) =>
  new Refusal(409, code, message, details)
/** Creates the error for a request that breaks a domain rule. `fields` contains messages for form fields. */
export const rejected = (message: string, fields?: Record<string, string>) =>
  new Refusal(422, 'rejected', message, fields && { fields })
/** Refuses values that are valid separately but not together. Reports the first error at its form field. */
export function refuseMistakes(mistakes: Partial<Record<string, string>>): void {
  for (const [field, message] of Object.entries(mistakes)) if (message) throw rejected(message, { [field]: message })
}
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new Refusal(429, 'too_many', message, { retryAfterSeconds })

/**
 * Builds the body of every failed call, in the caller's language. `message` and `msg` have the same text, because some
 * callers read one and some the other.
 */
export const failureBody = (failure: Refusal) => ({
  success: false as const,
  message: translated(failure.message),
  msg: translated(failure.message),
  code: failure.code,
  ...(failure.details && { details: withSentences(failure.details) }),
})

/** Translates the messages of form fields in the details. */
const withSentences = (details: Record<string, unknown>): Record<string, unknown> => {
  const { fields } = details
  if (typeof fields !== 'object' || fields === null) return details
  const translatedFields = Object.entries(fields).map(([name, message]) => [
    name,
    typeof message === 'string' ? translated(message) : message,
  ])
  return { ...details, fields: Object.fromEntries(translatedFields) }
}
