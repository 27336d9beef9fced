import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LargeUpload, Upload } from './call.ts'
import { malformed, Refusal } from './errors.ts'

/** The largest file that a call takes. */
export const UPLOAD_BYTES = 5 * 1024 * 1024
const MOST_FIELDS = 8
const FIELD_BYTES = 2000

/** Of a call that takes a large file: a town's addresses, or its map. */
export const LARGE_UPLOAD_BYTES = 100 * 1024 * 1024

/** What arrived: a body, and the file where it came as multipart. */
export interface Sent {
  body: unknown
  upload: Upload | undefined
  large: LargeUpload | undefined
}

/** Lets the routes of this scope take multipart/form-data: one file within the limit, and a few short fields. */
export const takeFiles = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      ...{ fileSize: UPLOAD_BYTES, files: 2, fields: MOST_FIELDS },
      ...{ fieldSize: FIELD_BYTES, fieldNameSize: 100, parts: MOST_FIELDS + 2, headerPairs: 20 },
    },
  })
}

const tooLarge = (bytes: number) =>
  new Refusal(413, 'too_large', `The file is larger than ${bytes / 1024 / 1024} MB. Choose a smaller one.`)
const UNREADABLE = 'The file could not be read. Choose it again and send it once more.'

/**
 * Reads a call that takes a file (specification 7.1). The field `company` becomes the body's `companyId`.
 * @throws 400 for anything but exactly one file, 413 for one that is too large
 */
export async function readUpload(request: FastifyRequest): Promise<Sent> {
  const files: Upload[] = []
  const body = await readParts(request, UPLOAD_BYTES, async (part) => {
    const content = await part.toBuffer()
    if (part.file.truncated) throw tooLarge(UPLOAD_BYTES)
    files.push({ name: part.filename, content })
  })
  if (!request.isMultipart()) return { body, upload: undefined, large: undefined }
  return { body, upload: onlyOne(files), large: undefined }
}

/**
 * The same for a large file, which is kept on disk and not in memory while it is worked on.
 * @param keptAs where; whoever calls removes it afterwards, also when this throws
 */
export async function readLargeUpload(request: FastifyRequest, keptAs: string): Promise<Sent> {
  const files: LargeUpload[] = []
  const body = await readParts(request, LARGE_UPLOAD_BYTES, async ({ filename, file }) => {
    await pipeline(file, createWriteStream(keptAs, { mode: 0o600 }))
    if (file.truncated) throw tooLarge(LARGE_UPLOAD_BYTES)
    files.push({ name: filename, path: keptAs, bytes: file.bytesRead })
  })
  if (!request.isMultipart()) return { body, upload: undefined, large: undefined }
  return { body, upload: undefined, large: onlyOne(files) }
}

function onlyOne<File>(files: readonly File[]): File {
  const [file] = files
  if (!file || files.length > 1) throw malformed('Send exactly one file, in the field file.')
  return file
}

/** The fields of a call as its body; each file goes to `take` as it comes. */
async function readParts(
  request: FastifyRequest,
  fileSize: number,
  take: (file: MultipartFile) => Promise<void>,
): Promise<unknown> {
  if (!request.isMultipart()) return request.body
  const fields: Record<string, string> = Object.create(null)
  try {
    for await (const part of request.parts({ limits: { fileSize } })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else await take(part)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw malformed(UNREADABLE)
  }
  const { company, ...others } = fields
  return { ...others, ...(company !== undefined && { companyId: company }) }
}
