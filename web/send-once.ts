import { useRef } from 'react'
import type { AnswerOf, BodyInput, Endpoint } from '../shared/endpoint.ts'
import { call } from './call.ts'

/** 32 hexadecimal digits; `crypto.randomUUID` is not there on plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Makes an idempotent call. The same body goes out under the same key until it was answered, so that another try after a
 * lost answer does nothing twice.
 */
export function useSendOnce<E extends Endpoint>(endpoint: E): (body: BodyInput<E>) => Promise<AnswerOf<E>> {
  const last = useRef<{ text: string; key: string } | null>(null)
  return async (body) => {
    const text = JSON.stringify(body)
    if (last.current?.text !== text) last.current = { text, key: newKey() }
    const answer = await call(endpoint as Endpoint, body as never, { idempotencyKey: last.current.key })
    last.current = null
    return answer as AnswerOf<E>
  }
}
