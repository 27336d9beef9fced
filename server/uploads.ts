import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FileRules, tooLarge } from '../shared/file-types.ts'
import type { LargeUpload, Upload } from './call.ts'
import { malformed, Refusal } from './errors.ts'

const MAX_FIELDS = 8
const FIELD_BYTES = 2000

/** Body of an upload call, and the file if the body is multipart. */
export interface UploadRequest {
  body: unknown
  upload?: Upload | undefined
  /** Key of a file that was uploaded in parts (`attachments/parts.ts`). */
  partsKey?: string | undefined
  large?: LargeUpload | undefined
}

/**
 * Accepts multipart/form-data on the routes of this scope. Allows one file up to the upload limit, and a few short
 * fields.
 */
export const takeFiles = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      ...{ files: 2, fields: MAX_FIELDS },
      ...{ fieldSize: FIELD_BYTES, fieldNameSize: 100, parts: MAX_FIELDS + 2, headerPairs: 20 },
    },
  })
}

const NOT_ONE = 'Send exactly one file, in the field named “file”.'

/**
 * Reads an upload call (spec 7.1). The field `company` becomes the body's `companyId`.
 * @throws 400 if the call does not have exactly one file, 413 if the file is too large
 */
export async function readUpload(request: FastifyRequest, rules: FileRules): Promise<UploadRequest> {
  if (!request.isMultipart()) return { body: request.body }
  const files: Upload[] = []
  const { upload: partsKey, ...fields } = await readParts(request, rules, async (part) => {
    files.push({ name: part.filename, content: await part.toBuffer() })
  })
  if (files.length + (partsKey === undefined ? 0 : 1) !== 1) throw malformed(NOT_ONE)
  return { body: bodyOf(fields), upload: files[0], partsKey }
}

/**
 * Reads a large file to disk instead of memory.
 * @param storedAs path of the file. The caller must remove it afterwards, even if this throws
 */
export async function readLargeUpload(
  request: FastifyRequest,
  rules: FileRules,
  storedAs: string,
): Promise<UploadRequest> {
  if (!request.isMultipart()) return { body: request.body }
  const files: LargeUpload[] = []
  const { upload: partsKey, ...fields } = await readParts(request, rules, async ({ filename, file }) => {
    await pipeline(file, createWriteStream(storedAs, { mode: 0o600 }))
    files.push({ name: filename, path: storedAs, bytes: file.bytesRead })
  })
  if (files.length + (partsKey === undefined ? 0 : 1) !== 1) throw malformed(NOT_ONE)
  return { body: bodyOf(fields), large: files[0], partsKey }
}

const bodyOf = ({ company, ...others }: Record<string, string>) => ({
  ...others,
  ...(company !== undefined && { companyId: company }),
})

/** Reads the fields of a call and passes each file to `take` as it arrives. @throws 413 if a file is too large */
async function readParts(
  request: FastifyRequest,
  limit: Pick<FileRules, 'maxBytes' | 'fieldBytes'>,
  take: (file: MultipartFile) => Promise<void>,
): Promise<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  try {
    for await (const part of request.parts({
      limits: { fileSize: limit.maxBytes, fieldSize: limit.fieldBytes ?? FIELD_BYTES },
    })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else {
        await take(part)
        if (part.file.truncated) throw new Refusal(413, 'too_large', tooLarge(limit))
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw malformed('The file could not be read. Choose and upload the file again.')
  }
  return fields
}
