import type { ReceivedCall } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { DATE_INVALID, instantIn } from '../rules.ts'
import type { Value } from './xml.ts'

/** HTTP request to the Open311 API of a company. */
export interface Open311Request {
  readonly context: AppContext
  readonly company: Company
  readonly call: ReceivedCall
  /** Query parameters, or the fields of the posted form. */
  readonly params: URLSearchParams
  /** Photo uploaded with the form, for clients that cannot send a photo URL. Null if none. */
  readonly media: { name: string; content: Buffer } | null
  /** Calling program. Null if it sent no API key. */
  readonly key: { id: number; name: string } | null
}

/**
 * Response of the Open311 API. `root` is the name of the root element in XML, and `value` is the content in both
 * formats.
 */
export interface Open311Response {
  root: string
  value: Value
}

/** Creates a 400 error with a message for each invalid argument. */
export const invalidArguments = (fields: Record<string, string>) => new Refusal(400, 'malformed', '', { fields })

export const parameterOf = ({ params }: Pick<Open311Request, 'params'>, name: string): string =>
  params.get(name)?.trim() ?? ''

/** @throws 400 if the argument is not a valid time */
export function timeArgumentOf(input: Open311Request, name: string): Date | undefined {
  const text = parameterOf(input, name)
  const at = instantIn(text)
  if (text !== '' && !at) throw invalidArguments({ [name]: DATE_INVALID })
  return at
}
