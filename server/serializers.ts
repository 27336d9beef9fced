import fastJson from 'fast-json-stringify'
import * as z from 'zod/mini'
import type { Endpoint } from '../shared/endpoint.ts'

type Serializer = (answer: unknown) => string

/** Serializers by endpoint. Portals in one process, such as in tests, share them. */
const made = new WeakMap<Endpoint, Serializer>()

/** Builds the serializer of an answer's schema. Undeclared fields are never sent. */
export function madeFor({ answer }: Pick<Endpoint, 'answer'>): Serializer {
  return fastJson(z.toJSONSchema(answer, { target: 'draft-7', io: 'output', unrepresentable: 'any' }) as object)
}

/** Builds the serializer with the first answer. Building all of them would be a third of a portal's start. */
export const serializerOf =
  (endpoint: Endpoint): Serializer =>
  (answer) => {
    let serializer = made.get(endpoint)
    if (!serializer) made.set(endpoint, (serializer = madeFor(endpoint)))
    return serializer(answer)
  }
