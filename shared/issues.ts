/** Default message of zod for a rule without its own message. */
const UNNAMED = 'Invalid input'

interface Issue {
  message: string
  /** Issues of each alternative. Set only if the rule has alternatives. */
  errors?: unknown
}

/**
 * Returns the message of a failed rule. If the rule has alternatives, such as an empty text or a license plate, returns
 * the message of the last alternative that has one. Undefined if no message exists.
 */
export function issueMessage({ message, errors }: Issue): string | undefined {
  if (message !== UNNAMED) return message
  const alternatives = Array.isArray(errors) ? (errors as readonly (readonly Issue[])[]) : []
  return alternatives.toReversed().flat().map(issueMessage).find(Boolean)
}
