import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

const ZOOM = 10

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
/** Encodes a field of a protocol buffer: a number, or bytes preceded by their length. */
const field = (id: number, value: number | number[]): number[] =>
  typeof value === 'number'
    ? [...varint(id * 8), ...varint(value)]
    : [...varint(id * 8 + 2), ...varint(value.length), ...value]
const text = (value: string) => [...Buffer.from(value)]

/** Returns a vector tile of land with one road (Mapbox specification, version 2.1). */
function tile(): Buffer {
  const layer = (name: string, kind: string, geometryType: number, geometry: number[]) =>
    field(3, [
      ...field(15, 2),
      ...field(1, text(name)),
      ...field(2, [...field(2, [0, 0]), ...field(3, geometryType), ...field(4, geometry.flatMap(varint))]),
      ...field(3, text('kind')),
      ...field(4, field(1, text(kind))),
      ...field(5, 4096),
    ])
  const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2)
  const land = [9, 0, 0, 26, zigzag(4096), 0, 0, zigzag(4096), zigzag(-4096), 0, 15]
  const road = [9, 0, zigzag(2048), 10, zigzag(4096), 0]
  return Buffer.from([...layer('earth', 'earth', 3, land), ...layer('roads', 'highway', 2, road)])
}

/** Returns a minimal map file: a PMTiles file (version 3) with one tile around a point. */
export function aMapFile({ lat, lon, images = false }: { lat: number; lon: number; images?: boolean }): Buffer {
  const x = Math.floor(((lon + 180) / 360) * 2 ** ZOOM)
  const radians = (lat * Math.PI) / 180
  const y = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** ZOOM)
  const data = gzipSync(tile())
  // Directory with a single entry: tile id, run length, length and offset.
  const directory = gzipSync(Buffer.from([1, ...varint(zxyToTileId(ZOOM, x, y)), 1, ...varint(data.length), 1]))
  const metadata = gzipSync(Buffer.from('{}'))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 0)
  header[7] = 3
  const offsets = [127, directory.length, 127 + directory.length, metadata.length]
  const end = 127 + directory.length + metadata.length
  for (const [at, value] of [...offsets, end, 0, end, data.length, 1, 1, 1].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + at * 8)
  const [gzip, vector, png] = [2, 1, 2]
  for (const [at, value] of [1, gzip, gzip, images ? png : vector, ZOOM, ZOOM].entries()) header[96 + at] = value
  const degrees = (value: number, at: number) => header.writeInt32LE(Math.round(value * 1e7), at)
  degrees(lon - 0.1, 102)
  degrees(lat - 0.1, 106)
  degrees(lon + 0.1, 110)
  degrees(lat + 0.1, 114)
  header[118] = ZOOM
  degrees(lon, 119)
  degrees(lat, 123)
  return Buffer.concat([header, directory, metadata, data])
}
