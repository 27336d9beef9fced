import { Readable } from 'node:stream'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import type { DemoCompany, Household } from '../../database/towns/town.ts'
import type { DemoPart } from '../../server/demo.ts'
import { importPlaces, type PlaceKind } from '../../server/places/import.ts'
import { type Metres, planeAt } from '../../shared/plane.ts'
import { tenancyOn } from '../../server/tenancy.ts'
import type { Position } from '../../shared/places.ts'

/** Size of a block in meters. Streets alternate between east-west and north-south. */
const BLOCK = { wide: 260, high: 200 }
const HIGHEST_NUMBER = 490
/**
 * Distances in meters: from the middle of a street to the front and back of a lot, and from a corner to the first lot.
 */
const LOT = { front: 7, back: 34, cornerEast: 38, cornerNorth: 10 }
/** Number of house numbers that one lot takes up. The lot across the street shares these numbers. */
const LOT_NUMBERS = 1.9
const STEP = 50

interface DemoParcel {
  houseNumber: number
  street: string
  unit: string
  owner: string
  landUse: string
  parcel: string
  door: Position
  border: Position[]
}

/** Builds the map of a demo company: a rotated and bent grid of streets. */
function layOut(demoCompany: DemoCompany, { lat, lon, turned }: NonNullable<DemoCompany['map']>) {
  const streets = streetsOf(demoCompany)
  const eastward = streets.filter((_, at) => at % 2 === 0)
  const northward = streets.filter((_, at) => at % 2 === 1)
  const size = { x: northward.length * BLOCK.wide, y: eastward.length * BLOCK.high }
  const plane = planeAt({ lat, lon })
  const angle = (turned * Math.PI) / 180
  const positionAt = (x: number, y: number): Position => {
    const bent: Metres = {
      x: x - size.x / 2 + 25 * Math.sin(y / 500),
      y: y - size.y / 2 + 40 * Math.sin(x / 650),
    }
    const { lat: north, lon: east } = plane.degreesOf({
      x: bent.x * Math.cos(angle) - bent.y * Math.sin(angle),
      y: bent.x * Math.sin(angle) + bent.y * Math.cos(angle),
    })
    return [round(east), round(north)]
  }
  /** Returns a point along a street. `aside` is the distance to the north or east of the street's center. */
  const beside = (street: string, along: number, aside: number): Position => {
    const row = eastward.indexOf(street)
    if (row >= 0) return positionAt(along, (row + 0.5) * BLOCK.high + aside)
    return positionAt((northward.indexOf(street) + 0.5) * BLOCK.wide + aside, along)
  }
  const isEastward = (street: string) => eastward.includes(street)
  const lengthOf = (street: string) => (isEastward(street) ? size.x : size.y)
  return { streets, size, positionAt, beside, isEastward, lengthOf }
}
type Layout = ReturnType<typeof layOut>

const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7

/** Lists the streets of the company, including the street of the company's own address. */
const streetsOf = ({ utilities, company }: DemoCompany): string[] => {
  const hall = company.address.replace(/^\d+\s+/, '')
  return [...new Set([...(utilities?.streets ?? []), hall])]
}

/** Maps a house number to its distance along the street. Leaves space between the lots and the crossings. */
function alongOf({ isEastward, lengthOf }: Layout, street: string, number: number): number {
  const block = isEastward(street) ? BLOCK.wide : BLOCK.high
  const corner = isEastward(street) ? LOT.cornerEast : LOT.cornerNorth
  // Shifts the position by half a block, because the first crossing is half a block from the start of the street.
  const even = (number / HIGHEST_NUMBER) * lengthOf(street) + block / 2
  const within = (even % block) / block
  return Math.floor(even / block) * block + corner + within * (block - 2 * corner) - block / 2
}

function lotOf(
  layout: Layout,
  at: number,
  number: number,
  street: string,
): Pick<DemoParcel, 'door' | 'border' | 'parcel'> {
  const side = number % 2 === 1 ? 1 : -1
  const half = LOT_NUMBERS / 2
  const [from, to] = [alongOf(layout, street, number - half), alongOf(layout, street, number + half)]
  const corner = (along: number, aside: number) => layout.beside(street, along, side * aside)
  return {
    door: layout.beside(street, alongOf(layout, street, number), side * (LOT.front + 5)),
    border: [corner(from, LOT.front), corner(to, LOT.front), corner(to, LOT.back), corner(from, LOT.back)],
    parcel: `${String(at + 11)}-${String(Math.floor(number / 40) + 1).padStart(3, '0')}-${String(number).padStart(4, '0')}`,
  }
}

function* lotsOf(
  random: Random,
  demoCompany: DemoCompany,
  layout: Layout,
  households: readonly Household[],
): Generator<DemoParcel> {
  const holders = new Map(households.map(({ name, address }) => [address, name]))
  for (const [at, street] of layout.streets.entries())
    for (let number = 1; number < HIGHEST_NUMBER; number += 1) {
      const address = `${number} ${street}`
      const holder = holders.get(address)
      const hall = address === demoCompany.company.address
      if (!holder && !hall && !random.chance(0.2)) continue
      const owner = hall
        ? demoCompany.company.companyName
        : (holder ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`)
      const landUse = hall ? 'Public' : random.weighted({ Residential: 0.86, Commercial: 0.08, 'Vacant land': 0.06 })
      const lot = { houseNumber: number, street, owner, landUse, ...lotOf(layout, at, number, street) }
      yield { ...lot, unit: '' }
      // In the demo, some commercial parcels are old mills that were converted to apartments.
      if (landUse === 'Commercial' && random.chance(0.15))
        for (const unit of ['1', '2', '3', '4', '5', '6']) yield { ...lot, unit }
    }
}

const cell = (value: string | number) =>
  /[",]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value

function addressFile(lots: readonly DemoParcel[], { city, state, zip }: DemoCompany['company']): string {
  const rows = lots.map(({ houseNumber, street, unit, door: [lon, lat] }) =>
    [houseNumber, street, unit, city, state, zip, lat, lon].map(cell).join(','),
  )
  return ['number,street,unit,city,state,zip,latitude,longitude', ...rows].join('\n')
}

const geoJson = (features: readonly { properties: object; type: string; coordinates: unknown }[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(({ properties, type, coordinates }) => ({
      type: 'Feature',
      properties,
      geometry: { type, coordinates },
    })),
  })

const closed = (ring: readonly Position[]): Position[] => [...ring, ...ring.slice(0, 1)]

const parcelFile = (lots: readonly DemoParcel[]): string =>
  geoJson(
    lots
      .filter(({ unit }) => unit === '')
      .map(({ parcel, houseNumber, street, owner, landUse, border }) => ({
        properties: { parcel, address: `${houseNumber} ${street}`, owner, land_use: landUse },
        type: 'Polygon',
        coordinates: [closed(border)],
      })),
  )

const streetFile = (layout: Layout): string =>
  geoJson(
    layout.streets.map((street) => {
      const length = layout.lengthOf(street)
      const steps = Math.ceil(length / STEP)
      const line = Array.from({ length: steps + 1 }, (_, at) => layout.beside(street, (at / steps) * length, 0))
      return { properties: { name: street }, type: 'LineString', coordinates: line }
    }),
  )

/**
 * Builds the zones: refuse routes, wards, the old town, and the flood area, which has a hill without flooding inside
 * it.
 */
function zoneFile({ size, positionAt }: Layout): string {
  const edge = 60
  const area = (x0: number, y0: number, x1: number, y1: number): Position[] => {
    const side = (from: Position, to: Position) =>
      Array.from({ length: 20 }, (_, at) =>
        positionAt(from[0] + ((to[0] - from[0]) * at) / 20, from[1] + ((to[1] - from[1]) * at) / 20),
      )
    const corners: Position[] = [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ]
    return corners.flatMap((corner, at) => side(corner, corners[(at + 1) % 4] ?? corner))
  }
  const [west, east, south, north] = [-edge, size.x + edge, -edge, size.y + edge]
  const [middleX, middleY] = [size.x / 2, size.y / 2]
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday']
  const quarters = [
    area(west, middleY, middleX, north),
    area(middleX, middleY, east, north),
    area(west, south, middleX, middleY),
    area(middleX, south, east, middleY),
  ]
  const third = (east - west) / 3
  const zones = [
    ...quarters.map((ring, at) => ({ kind: 'Refuse route', name: days[at] ?? '', rings: [ring] })),
    ...[1, 2, 3].map((ward) => ({
      kind: 'Ward',
      name: `Ward ${ward}`,
      rings: [area(west + (ward - 1) * third, south, west + ward * third, north)],
    })),
    {
      kind: 'Historic district',
      name: 'Old town',
      rings: [area(middleX - 420, middleY - 330, middleX + 420, middleY + 330)],
    },
    {
      kind: 'Flood zone',
      name: 'Low bank',
      rings: [area(west, south, east, 190), area(middleX - 300, 20, middleX + 120, 130)],
    },
  ]
  return geoJson(
    zones.map(({ kind, name, rings }) => ({
      properties: { kind, name },
      type: 'Polygon',
      coordinates: rings.map(closed),
    })),
  )
}

/** Imports the places of a demo company through the regular import. Each household's address is a place. */
export const demo: DemoPart = {
  early: true,
  company: async ({ db, clock }, demoCompany, { company, households }) => {
    if (!demoCompany.map) return
    const layout = layOut(demoCompany, demoCompany.map)
    const lots = [...lotsOf(randomFrom(demoCompany.seed + 3), demoCompany, layout, households)]
    const files: [PlaceKind, string][] = [
      ['streets', streetFile(layout)],
      ['zones', zoneFile(layout)],
      ['addresses', addressFile(lots, demoCompany.company)],
      ['parcels', parcelFile(lots)],
    ]
    for (const [kind, text] of files) {
      const file = Readable.from([Buffer.from(text)])
      const actor = { session: null, requestId: '', kind: 'system' } as const
      const deps = { inCompany: tenancyOn(db.app), clock }
      const input = { kind, file, mode: 'import', rowErrors: 'refuse' } as const
      const { invalidRows } = await importPlaces(deps, company, actor, input)
      if (invalidRows[0])
        throw new Error(`the demo's ${kind} are refused: ${invalidRows[0].where}: ${invalidRows[0].reason}`)
    }
  },
}
