import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { cleaned } from '../../shared/typed.ts'

/** Minimum length of the text that finds a caller. */
export const CALLER_MIN = 3
const CALLER_SHORT = 'Enter at least 3 characters.'

/** A resident with an account in the portal, or a customer of the billing system. */
const caller = z.object({
  key: z.string(),
  /** Null for a customer who has not linked the utility account. */
  personId: z.nullable(z.number()),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  address: z.string(),
  /** Number of the utility account. Empty if the caller was not found by an account. */
  accountNumber: z.string(),
})
export type Caller = z.output<typeof caller>

/** Finds the caller for staff who enter something for that person. */
export const findCallers = endpoint({
  path: 'muni/find/callers',
  summary: 'Finds residents and utility customers by phone, name, address or account',
  access: { audience: 'municipality', privilege: ['customers', 'view'] },
  personal: true,
  body: z.object({
    companyId,
    search: z
      .string()
      .check(cleaned(), z.minLength(CALLER_MIN, CALLER_SHORT), z.maxLength(100, 'Enter up to 100 characters.')),
  }),
  response: z.object({ callers: z.array(caller) }),
})
