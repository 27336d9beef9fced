import fastJson from 'fast-json-stringify'
import * as z from 'zod/mini'
import type { Endpoint } from '../shared/endpoint.ts'

type Serializer = (response: unknown) => string

/** Serializers by endpoint. All portals in a process share them, for example in tests. */
const made = new WeakMap<Endpoint, Serializer>()

/** Builds the serializer for a response schema. It omits fields that the schema does not declare. */
export function madeFor({ response }: Pick<Endpoint, 'response'>): Serializer {
  return fastJson(z.toJSONSchema(response, { target: 'draft-7', io: 'output', unrepresentable: 'any' }) as object)
}

/**
 * Returns a function that builds the endpoint's serializer at its first response. Building all serializers at startup
 * would take a third of the portal's startup time.
 */
export const serializerOf =
  (endpoint: Endpoint): Serializer =>
  (response) => {
    let serializer = made.get(endpoint)
    if (!serializer) made.set(endpoint, (serializer = madeFor(endpoint)))
    return serializer(response)
  }
