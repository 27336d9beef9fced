/** Calls about the locations of a company, for every feature: address search, data of a point, and the map. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { say } from './messages.ts'
import { rowId } from './body-parts.ts'

/** Position as longitude and latitude, in the order of GeoJSON. */
export type Position = [lon: number, lat: number]

/** Point on a map, in degrees. */
export interface Point {
  lat: number
  lon: number
}

/** Marker on a map with many markers. */
export interface Mark extends Point {
  id: number
  label: string
  kind: 'good' | 'waiting' | 'bad' | 'neutral'
}

const latitude = z.number().check(z.minimum(-90), z.maximum(90))
const longitude = z.number().check(z.minimum(-180), z.maximum(180))
const metres = z.object({ x: z.number(), y: z.number() })
/** Schema of a position. zod's own tuple schema would add code to the payment pages of every resident. */
export const position = z.array(z.number()) as unknown as z.ZodMiniType<Position, Position>

const MAX_LOCATION_LENGTH = 200
/** A shorter text does not describe a location. */
const MIN_LOCATION_LENGTH = 3

/** Value of a location field while the person types. */
export const typedLocation = z.object({
  text: z.string().check(
    z.trim(),
    z.maxLength(MAX_LOCATION_LENGTH, {
      error: () => say`Enter an address of up to ${MAX_LOCATION_LENGTH} characters.`,
    }),
  ),
  addressId: z.nullable(rowId),
  lat: z.nullable(latitude),
  lon: z.nullable(longitude),
  metres: z.nullable(metres),
  /**
   * True if the person confirmed that the text is not an address of the municipality, or if the form offered none. Not
   * stored.
   */
  asTyped: z.optional(z.boolean()),
})

/**
 * Value of a location field: its text and, if known, its position. `metres` is the distance east and north of the
 * company's origin. A browser may send any value, so the server must validate it before saving (`resolveLocation`).
 */
export const locationValue = typedLocation.check(
  z.refine(({ text }) => text === '' || text.length >= MIN_LOCATION_LENGTH, {
    error: () => say`Enter an address, or describe the location in at least ${MIN_LOCATION_LENGTH} characters.`,
  }),
)
export type LocationValue = z.output<typeof locationValue>
export const noLocation: LocationValue = { text: '', addressId: null, lat: null, lon: null, metres: null }

const addressResult = z.object({ id: z.number(), text: z.string(), lat: z.number(), lon: z.number(), metres })
export type AddressResult = z.output<typeof addressResult>

const zone = z.object({ id: z.number(), kind: z.string(), name: z.string() })

export const findAddresses = endpoint({
  path: 'find/addresses',
  summary: 'Finds addresses of the company by partial text',
  access: { audience: 'public' },
  body: z.object({
    search: z
      .string()
      .check(z.trim(), z.maxLength(MAX_LOCATION_LENGTH, 'Enter a search term of up to 200 characters.')),
  }),
  /** Matching addresses. `isMeant` is true if the text matches exactly this address and no other. */
  response: z.object({ matches: z.array(z.extend(addressResult, { isMeant: z.boolean() })) }),
})

export type AddressMatch = z.output<typeof findAddresses.response>['matches'][number]

/**
 * Finds the address nearest to a point, and the zones that contain the point. `metres` and `nearest` are null and
 * `zones` is empty if the company has no addresses or the point is too far away.
 */
export const findNearest = endpoint({
  path: 'find/nearest/address',
  summary: 'Returns the nearest address of a point and its zones',
  access: { audience: 'public' },
  body: z.object({ lat: latitude, lon: longitude }),
  response: z.object({
    metres: z.nullable(metres),
    nearest: z.nullable(z.extend(addressResult, { away: z.number() })),
    zones: z.array(zone),
  }),
})

/**
 * Returns the map of a company. `tiles` is null if the company has not uploaded a map. Screens then draw a map from the
 * company's streets.
 */
export const returnCompanyMap = endpoint({
  path: 'return/company/map',
  summary: "Returns the company's map with its extent, zones and streets",
  access: { audience: 'public' },
  body: z.object({}),
  response: z.object({
    extent: z.nullable(z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })),
    tiles: z.nullable(z.string()),
    streets: z.array(z.object({ name: z.string(), lines: z.array(z.array(position)) })),
    zones: z.array(z.extend(zone, { outline: z.array(z.array(z.array(position))) })),
  }),
})
export type CompanyMapResponse = z.output<typeof returnCompanyMap.response>
