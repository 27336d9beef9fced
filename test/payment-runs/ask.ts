import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiResponse } from '../harness.ts'
import { type RunCompany, HOST } from './company.ts'

export const callApi = (
  { portal, tokens }: RunCompany,
  role: keyof RunCompany['tokens'],
  path: string,
  body: object,
  key: string = randomUUID(),
) => portal.post(HOST, path, body, { token: tokens[role], headers: { 'idempotency-key': key } })
export const guest = ({ portal }: RunCompany, path: string, body: object, key: string = randomUUID()) =>
  portal.post(HOST, path, body, { headers: { 'idempotency-key': key } })

/**
 * Returns true if the call succeeded, and false if the portal refused it with a reason. Any other status is an error in
 * the portal and fails the test.
 */
export function expectResponse({ status, body }: ApiResponse): boolean {
  expect([200, 403, 404, 409, 422, 503], JSON.stringify(body)).toContain(status)
  return status === 200
}
