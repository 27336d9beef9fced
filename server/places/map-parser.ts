/** Reads the header of a map file. Runs in a thread, because the directory size that the header states may be false. */
import { open } from 'node:fs/promises'
import { PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles'
import { say } from '../../shared/messages.ts'
import { FileRefused } from '../file-refused.ts'

/** Bounds of a map, in degrees. */
export interface MapCover {
  south: number
  west: number
  north: number
  east: number
}

/** Local file as a source for the PMTiles library. */
class OnDisk implements Source {
  readonly #path: string
  constructor(path: string) {
    this.#path = path
  }
  getKey(): string {
    return this.#path
  }
  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const handle = await open(this.#path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
      return { data: new Uint8Array(buffer.subarray(0, bytesRead)).buffer }
    } finally {
      await handle.close()
    }
  }
}

/** Reads the bounds of a map file. @throws FileRefused if the file is not a PMTiles file with vector tiles */
export async function readMapCover(path: string): Promise<MapCover> {
  const header = await new PMTiles(new OnDisk(path)).getHeader().catch(() => null)
  if (!header) throw new FileRefused(say`This is not a PMTiles file. Choose a map extract in .pmtiles format.`)
  if (header.tileType !== TileType.Mvt)
    throw new FileRefused(say`This PMTiles file contains images. Choose one with vector tiles (MVT).`)
  return { south: header.minLat, west: header.minLon, north: header.maxLat, east: header.maxLon }
}
