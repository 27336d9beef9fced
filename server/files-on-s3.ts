import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { checkPath, type Files, newPath, type Part } from './files.ts'
import { reasonOf, StartError } from './start-error.ts'
import { inParts, Meter } from './streams.ts'

export type S3Settings = NonNullable<Config['s3']>

/** Size of an upload part, in bytes. This is the minimum that S3 allows, so that a large upload needs little memory. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_MS = 5000
const SILENCE_MS = 30_000

interface ObjectLocation {
  Bucket: string
  Key: string
}

/**
 * Opens a file store in an S3 bucket. The server loads this module only if a bucket is configured.
 * @throws StartError if the bucket can't be reached or written
 */
export async function filesOnS3(settings: S3Settings, clock: Clock): Promise<Files> {
  const client = connect(settings)
  const objectLocationOf = (name: string): ObjectLocation => ({ Bucket: settings.bucket, Key: settings.prefix + name })
  await tryOut(client, settings, objectLocationOf(`start-${randomUUID()}`))
  const put: Files['put'] = async (path, content) => {
    const objectLocation = objectLocationOf(checkPath(path))
    const meter = new Meter()
    await upload(client, objectLocation, inParts(meter.of(content), PART_BYTES))
    return meter.measured()
  }
  return {
    put,
    write: async (owner, content) => {
      const path = newPath(owner, clock)
      return { path, ...(await put(path, content)) }
    },
    read: (path, part) =>
      Readable.from(download(client, objectLocationOf(checkPath(path)), part), { objectMode: false }),
    remove: (path) => {
      const objectLocation = objectLocationOf(checkPath(path))
      return client.send(new DeleteObjectCommand(objectLocation)).then(() => {})
    },
  }
}

function connect({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // The request's signature already covers a hash of the content. Some servers do not support additional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  })
}

/**
 * Writes and deletes a small object to check the permissions. The bucket may exist even if the portal can't write to
 * it.
 */
async function tryOut(
  client: S3Client,
  { bucket, endpoint, region }: S3Settings,
  objectLocation: ObjectLocation,
): Promise<void> {
  try {
    await client.send(new PutObjectCommand({ ...objectLocation, Body: 'Written at the start, to see that it can be.' }))
    await client.send(new DeleteObjectCommand(objectLocation))
  } catch (error) {
    const at = endpoint === null ? `region ${region}` : endpoint.replace(/\/\/[^/@]*@/, '//')
    throw new StartError(`S3_BUCKET ${bucket} cannot be written at ${at} (${reasonOf(error)}).`)
  }
}

/**
 * Uploads a small file in one request and a large file in parts. The file appears only after the complete upload. A
 * failed upload is removed.
 */
async function upload(
  client: S3Client,
  objectLocation: ObjectLocation,
  parts: AsyncGenerator<Buffer, void, undefined>,
): Promise<void> {
  const { value: first } = await parts.next()
  if (!first || first.length < PART_BYTES) await uploadWhole(client, objectLocation, first ?? Buffer.alloc(0))
  else await uploadInParts(client, objectLocation, first, parts)
}

async function uploadWhole(client: S3Client, objectLocation: ObjectLocation, content: Buffer): Promise<void> {
  try {
    await client.send(new PutObjectCommand({ ...objectLocation, Body: content }))
  } catch (error) {
    // The write may have succeeded even if its response was lost, so the object is deleted.
    await client.send(new DeleteObjectCommand(objectLocation)).catch(() => {})
    throw error
  }
}

async function uploadInParts(
  client: S3Client,
  objectLocation: ObjectLocation,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(objectLocation))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  const send = async (content: Buffer) => {
    const PartNumber = Parts.length + 1
    const { ETag } = await client.send(
      new UploadPartCommand({ ...objectLocation, UploadId, PartNumber, Body: content }),
    )
    Parts.push({ PartNumber, ETag })
  }
  try {
    await send(first)
    for await (const part of rest) if (part.length > 0) await send(part)
    await client.send(new CompleteMultipartUploadCommand({ ...objectLocation, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // If the abort fails too, the bucket's lifecycle rule for unfinished uploads removes the parts.
    await client.send(new AbortMultipartUploadCommand({ ...objectLocation, UploadId })).catch(() => {})
    await client.send(new DeleteObjectCommand(objectLocation)).catch(() => {})
    throw error
  }
}

async function* download(
  client: S3Client,
  objectLocation: ObjectLocation,
  part: Part | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const command = new GetObjectCommand({ ...objectLocation, ...(part && { Range: `bytes=${part.start}-${part.end}` }) })
  const { Body } = await client.send(command).catch((error: unknown) => {
    const isMissing = error instanceof Error && error.name === 'NoSuchKey'
    throw isMissing
      ? Object.assign(new Error(`ENOENT: no such file in the bucket, ${objectLocation.Key}`), { code: 'ENOENT' })
      : error
  })
  yield* Body as Readable
}
