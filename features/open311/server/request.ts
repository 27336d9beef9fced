import type { Arrived } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { DATE_WRONG, instantIn } from '../rules.ts'
import type { Value } from './xml.ts'

/** What somebody asks of a town by Open311. */
export interface Open311Request {
  readonly context: AppContext
  readonly company: Company
  readonly call: Arrived
  /** The query, or the form that was posted. */
  readonly params: URLSearchParams
  /** A picture that came with the form, as clients send it that know no addresses of pictures. */
  readonly media: { name: string; content: Buffer } | null
  /** The program, where it said its key. */
  readonly key: { id: number; name: string } | null
}

/** An answer: the name of the outermost element in XML, and what both formats hold. */
export interface Open311Response {
  root: string
  value: Value
}

/** What is wrong with what was sent, a sentence for each argument. */
export const wrongArguments = (fields: Record<string, string>) => new Refusal(400, 'malformed', '', { fields })

export const given = ({ params }: Pick<Open311Request, 'params'>, name: string): string =>
  params.get(name)?.trim() ?? ''

/** @throws 400 where what stands there is no time */
export function timeGiven(asked: Open311Request, name: string): Date | undefined {
  const text = given(asked, name)
  const at = instantIn(text)
  if (text !== '' && !at) throw wrongArguments({ [name]: DATE_WRONG })
  return at
}
