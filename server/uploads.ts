import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FileRules, tooLarge } from '../shared/file-types.ts'
import type { Upload } from './call.ts'
import { malformed, Refusal } from './errors.ts'

const MOST_FIELDS = 8
const FIELD_BYTES = 2000

/** What arrived: a body, and the file where it came as multipart. */
export interface Sent {
  body: unknown
  upload: Upload | undefined
  /** The key of a file that was sent in parts before (`attachments/parts.ts`). */
  partsKey: string | undefined
}

/** Lets the routes of this scope take multipart/form-data: one file within the limit of its use, and a few short fields. */
export const takeFiles = async (scope: FastifyInstance): Promise<void> => {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      ...{ files: 2, fields: MOST_FIELDS },
      ...{ fieldSize: FIELD_BYTES, fieldNameSize: 100, parts: MOST_FIELDS + 2, headerPairs: 20 },
    },
  })
}

/**
 * Reads a call that takes a file (specification 7.1). The field `company` becomes the body's `companyId`.
 * @throws 400 for anything but exactly one file, 413 for one that is too large
 */
export async function readUpload(request: FastifyRequest, rules: FileRules): Promise<Sent> {
  if (!request.isMultipart()) return { body: request.body, upload: undefined, partsKey: undefined }
  const fields: Record<string, string> = Object.create(null)
  const files: Upload[] = []
  try {
    for await (const part of request.parts({ limits: { fileSize: rules.mostBytes } })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else {
        const content = await part.toBuffer()
        if (part.file.truncated) throw new Refusal(413, 'too_large', tooLarge(rules))
        files.push({ name: part.filename, content })
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw malformed('The file could not be read. Choose it again and send it once more.')
  }
  const [upload] = files
  const { company, upload: partsKey, ...others } = fields
  if (files.length + (partsKey === undefined ? 0 : 1) !== 1)
    throw malformed('Send exactly one file, in the field file.')
  return { body: { ...others, ...(company !== undefined && { companyId: company }) }, upload, partsKey }
}
