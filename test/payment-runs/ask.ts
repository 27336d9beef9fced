import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiResponse } from '../harness.ts'
import { type RunCompany, TOWN } from './town.ts'

export const ask = (
  { portal, tokens }: RunCompany,
  who: keyof RunCompany['tokens'],
  path: string,
  body: object,
  key: string = randomUUID(),
) => portal.post(TOWN, path, body, { token: tokens[who], headers: { 'idempotency-key': key } })
export const guest = ({ portal }: RunCompany, path: string, body: object, key: string = randomUUID()) =>
  portal.post(TOWN, path, body, { headers: { 'idempotency-key': key } })

/** It was done, or refused with a reason. Anything else is a fault of ours. */
export function expectAnswer({ status, body }: ApiResponse): boolean {
  expect([200, 403, 404, 409, 422, 503], JSON.stringify(body)).toContain(status)
  return status === 200
}
