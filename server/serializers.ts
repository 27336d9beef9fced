import fastJson from 'fast-json-stringify'
import * as z from 'zod/mini'
import type { Endpoint } from '../shared/endpoint.ts'

type Serializer = (answer: unknown) => string

/** Of each endpoint's answer, once made: portals in one process, such as those of tests, share them. */
const made = new WeakMap<Endpoint, Serializer>()

/** Writes an answer as its schema declares it: what is not declared does not leave. */
export function madeFor({ answer }: Pick<Endpoint, 'answer'>): Serializer {
  return fastJson(z.toJSONSchema(answer, { target: 'draft-7', io: 'output', unrepresentable: 'any' }) as object)
}

/** The same, made when the first answer leaves: to make those of all calls is a third of a portal's start. */
export const serializerOf =
  (endpoint: Endpoint): Serializer =>
  (answer) => {
    let serializer = made.get(endpoint)
    if (!serializer) made.set(endpoint, (serializer = madeFor(endpoint)))
    return serializer(answer)
  }
