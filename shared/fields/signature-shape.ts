import * as z from 'zod/mini'
import { readSignature } from './signature.ts'

const HOW = 'Sign by hand, or type your name.'

/** Schema of a signature for calls that do not use form fields. */
export const signatureShape = z
  .object({ typed: z.optional(z.string()), drawn: z.optional(z.array(z.array(z.array(z.int())))) }, HOW)
  .check(({ value, issues }) => {
    const { answer, errors } = readSignature(value)
    if (!answer) issues.push({ code: 'custom', message: errors?.[''] ?? HOW, input: value, path: [] })
  })
