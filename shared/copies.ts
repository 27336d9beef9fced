import * as z from 'zod/mini'
import { companyId, rowId } from './body-parts.ts'
import { type Access, formCall } from './endpoint.ts'
import { say } from './messages.ts'
import { done } from './responses.ts'

/** Call that copies a record that staff built. The copy is a draft or not in use. */
export const copyCall = <Path extends string>(path: Path, summary: string, access: Access) =>
  formCall({
    path,
    summary,
    access,
    body: z.object({ companyId, id: rowId }),
    response: z.extend(done, { id: z.number() }),
  })
export type CopyCall = ReturnType<typeof copyCall>

/**
 * Returns the name of a copy that no other record has: `Copy of NAME`, then `Copy of NAME (2)`. A long name loses its
 * end.
 */
export function nameOfCopy(name: string, taken: readonly string[], maxLength: number): string {
  const isTaken = (text: string) => taken.some((one) => one.toLowerCase() === text.toLowerCase())
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`
    const text = `${say`Copy of ${name}`.slice(0, maxLength - suffix.length).trim()}${suffix}`
    if (!isTaken(text)) return text
  }
}
