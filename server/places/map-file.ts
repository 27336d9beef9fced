import type { FastifyInstance } from 'fastify'
import { findByAddress } from '../attachments/by-address.ts'
import { Refusal } from '../errors.ts'
import { FileRefused } from '../file-refused.ts'
import type { Part } from '../files.ts'
import type { AppContext } from '../app-context.ts'
import { parserOf } from '../parse.ts'
import type { CompanyId } from '../tenancy.ts'
import type { MapCover } from './map-parser.ts'

/**
 * Attachment use for the maps of a company. `validateMap` checks each map. If the virus scanner is unavailable, the portal
 * refuses the map instead of storing it for later.
 */
export const mapFiles = { kind: 'town-map', subject: 'company', maxFiles: 1000, needsImmediateScan: true }

export const tilesPath = (company: CompanyId, file: string): string => `/maps/${company}/${file}.pmtiles`

const readMapCover = parserOf<[path: string], MapCover>(new URL('map-parser.ts', import.meta.url), 'readMapCover')

/** Reads the bounds of a map file. @throws 415 if it is not a PMTiles file with vector tiles */
export async function validateMap(company: CompanyId, path: string): Promise<MapCover> {
  try {
    return await readMapCover(String(company), path)
  } catch (error) {
    throw error instanceof FileRefused ? new Refusal(415, 'wrong_type', error.message) : error
  }
}

/** Serves companies' map files by byte range. The file behind a URL never changes, so browsers can cache it. */
export function mountMaps(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { company: string; file: string } }>('/maps/:company/:file.pmtiles', async (request, reply) => {
    const { params } = request
    const row = await findByAddress(context, params, mapFiles.kind)
    if (!row) return reply.callNotFound()
    const part = partOf(request.headers.range, row.bytes)
    reply
      .type('application/vnd.pmtiles')
      .header('accept-ranges', 'bytes')
      .header('etag', `"${params.file}"`)
      .header('cache-control', 'public, max-age=31536000, immutable')
    if (part === 'beyond') return reply.code(416).header('content-range', `bytes */${row.bytes}`).send()
    if (part === 'whole') return reply.header('content-length', row.bytes).send(context.files.read(row.path))
    return reply
      .code(206)
      .header('content-range', `bytes ${part.start}-${part.end}/${row.bytes}`)
      .header('content-length', part.end - part.start + 1)
      .send(context.files.read(row.path, part))
  })
}

/**
 * Parses the byte range of a request (RFC 9110, section 14). If the request has several ranges or another unit, returns
 * the whole file.
 */
export function partOf(range: string | undefined, bytes: number): Part | 'whole' | 'beyond' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (from !== '' && to !== '' && Number(to) < start) return 'whole'
  return start >= bytes ? 'beyond' : { start, end }
}
