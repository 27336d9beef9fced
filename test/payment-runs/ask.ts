import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Answer } from '../harness.ts'
import { type Town, TOWN } from './town.ts'

export const ask = (
  { portal, tokens }: Town,
  who: keyof Town['tokens'],
  path: string,
  body: object,
  key: string = randomUUID(),
) => portal.post(TOWN, path, body, { token: tokens[who], headers: { 'idempotency-key': key } })
export const guest = ({ portal }: Town, path: string, body: object, key: string = randomUUID()) =>
  portal.post(TOWN, path, body, { headers: { 'idempotency-key': key } })

/** It was done, or refused with a reason. Anything else is a fault of ours. */
export function expectAnswer({ status, body }: Answer): boolean {
  expect([200, 403, 404, 409, 422, 503], JSON.stringify(body)).toContain(status)
  return status === 200
}
