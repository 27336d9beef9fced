/** Places of a town, for every feature: finding an address, what is at a point, and the town's map. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { say } from './words.ts'
import { rowId } from './body-parts.ts'

/** As GeoJSON has it: longitude, latitude. */
export type Position = [lon: number, lat: number]

/** In degrees, as people say it. */
export interface Point {
  lat: number
  lon: number
}

/** One of many things on the map. */
export interface Mark extends Point {
  id: number
  label: string
  kind: 'good' | 'waiting' | 'bad' | 'neutral'
}

const latitude = z.number().check(z.minimum(-90), z.maximum(90))
const longitude = z.number().check(z.minimum(-180), z.maximum(180))
const metres = z.object({ x: z.number(), y: z.number() })
/** Two numbers. (zod's own tuple would be loaded by every resident who pays.) */
export const position = z.array(z.number()) as unknown as z.ZodMiniType<Position, Position>

const PLACE_LENGTH = 200

/**
 * What a place field holds: words, and what is known of where they are. `metres` are counted east and north from the
 * town's origin. A server that keeps one settles it first (`settlePlace`), since a browser may say anything.
 */
export const placeValue = z.object({
  text: z
    .string()
    .check(
      z.trim(),
      z.maxLength(PLACE_LENGTH, { error: () => say`An address has at most ${PLACE_LENGTH} characters.` }),
    ),
  addressId: z.nullable(rowId),
  lat: z.nullable(latitude),
  lon: z.nullable(longitude),
  metres: z.nullable(metres),
  /** Whoever typed it said that no address of the town is meant, or there was none to choose. The server doesn't keep it. */
  asTyped: z.optional(z.boolean()),
})
export type PlaceValue = z.output<typeof placeValue>
export const noPlace: PlaceValue = { text: '', addressId: null, lat: null, lon: null, metres: null }

const foundAddress = z.object({ id: z.number(), text: z.string(), lat: z.number(), lon: z.number(), metres })
export type FoundAddress = z.output<typeof foundAddress>

const zone = z.object({ id: z.number(), kind: z.string(), name: z.string() })

export const findAddresses = endpoint({
  path: 'find/addresses',
  summary: 'Addresses of the town that are meant by what somebody types, the likeliest first',
  access: { audience: 'public' },
  body: z.object({
    search: z.string().check(z.trim(), z.maxLength(PLACE_LENGTH, 'Search for at most 200 characters.')),
  }),
  /** `isMeant`: what was typed is this address whole, and no other. */
  answer: z.object({ found: z.array(z.extend(foundAddress, { isMeant: z.boolean() })) }),
})

export type AddressMatch = z.output<typeof findAddresses.answer>['found'][number]

/** `metres` is null, and so is the rest, where the town has no places or this is nowhere near it. */
export const findNearest = endpoint({
  path: 'find/nearest/address',
  summary: 'The address next to a point, and the zones that it is in',
  access: { audience: 'public' },
  body: z.object({ lat: latitude, lon: longitude }),
  answer: z.object({
    metres: z.nullable(metres),
    nearest: z.nullable(z.extend(foundAddress, { away: z.number() })),
    zones: z.array(zone),
  }),
})

/** Streets are drawn where the town has no map of its own (`tiles`). */
export const returnTownMap = endpoint({
  path: 'return/town/map',
  summary: "What the town's map shows: its extent, its zones, and its streets or the address of its map file",
  access: { audience: 'public' },
  body: z.object({}),
  answer: z.object({
    extent: z.nullable(z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })),
    tiles: z.nullable(z.string()),
    streets: z.array(z.object({ name: z.string(), lines: z.array(z.array(position)) })),
    zones: z.array(z.extend(zone, { outline: z.array(z.array(z.array(position))) })),
  }),
})
export type TownMapAnswer = z.output<typeof returnTownMap.answer>
