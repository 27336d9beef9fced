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

/** The smallest that the protocol takes: a few of them are what an upload holds in memory, however large it is. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_MS = 5000
const SILENCE_MS = 30_000

interface ObjectLocation {
  Bucket: string
  Key: string
}

/**
 * Files in a bucket, by S3's protocol. Loaded only where one is configured.
 * @throws StartError when the bucket can't be reached or written
 */
export async function filesOnS3(settings: S3Settings, clock: Clock): Promise<Files> {
  const client = connect(settings)
  const placeOf = (name: string): ObjectLocation => ({ Bucket: settings.bucket, Key: settings.prefix + name })
  await tryOut(client, settings, placeOf(`start-${randomUUID()}`))
  const put: Files['put'] = async (path, content) => {
    const place = placeOf(checkPath(path))
    const meter = new Meter()
    await upload(client, place, inParts(meter.of(content), PART_BYTES))
    return meter.measured()
  }
  return {
    put,
    write: async (owner, content) => {
      const path = newPath(owner, clock)
      return { path, ...(await put(path, content)) }
    },
    read: (path, part) => Readable.from(download(client, placeOf(checkPath(path)), part), { objectMode: false }),
    remove: (path) => {
      const place = placeOf(checkPath(path))
      return client.send(new DeleteObjectCommand(place)).then(() => {})
    },
  }
}

function connect({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // The signature covers the content's hash already; checksums beyond it are not known to every server.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
  })
}

/** Writes and removes a small object: that the bucket is there says nothing of what we may do in it. */
async function tryOut(
  client: S3Client,
  { bucket, endpoint, region }: S3Settings,
  place: ObjectLocation,
): Promise<void> {
  try {
    await client.send(new PutObjectCommand({ ...place, Body: 'Written at the start, to see that it can be.' }))
    await client.send(new DeleteObjectCommand(place))
  } catch (error) {
    const at = endpoint === null ? `region ${region}` : endpoint.replace(/\/\/[^/@]*@/, '//')
    throw new StartError(`S3_BUCKET ${bucket} cannot be written at ${at} (${reasonOf(error)}).`)
  }
}

/** A small file is one request, a large one is parts that become visible together. What fails is taken back. */
async function upload(
  client: S3Client,
  place: ObjectLocation,
  parts: AsyncGenerator<Buffer, void, undefined>,
): Promise<void> {
  const { value: first } = await parts.next()
  if (!first || first.length < PART_BYTES) await uploadWhole(client, place, first ?? Buffer.alloc(0))
  else await uploadInParts(client, place, first, parts)
}

async function uploadWhole(client: S3Client, place: ObjectLocation, content: Buffer): Promise<void> {
  try {
    await client.send(new PutObjectCommand({ ...place, Body: content }))
  } catch (error) {
    // The answer alone may be what was lost.
    await client.send(new DeleteObjectCommand(place)).catch(() => {})
    throw error
  }
}

async function uploadInParts(client: S3Client, place: ObjectLocation, first: Buffer, rest: AsyncIterable<Buffer>) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  const send = async (content: Buffer) => {
    const PartNumber = Parts.length + 1
    const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body: content }))
    Parts.push({ PartNumber, ETag })
  }
  try {
    await send(first)
    for await (const part of rest) if (part.length > 0) await send(part)
    await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // Where even this can't be said, the bucket's own rule for unfinished uploads removes the parts.
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {})
    await client.send(new DeleteObjectCommand(place)).catch(() => {})
    throw error
  }
}

async function* download(
  client: S3Client,
  place: ObjectLocation,
  part: Part | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const asked = new GetObjectCommand({ ...place, ...(part && { Range: `bytes=${part.start}-${part.end}` }) })
  const { Body } = await client.send(asked).catch((error: unknown) => {
    const isMissing = error instanceof Error && error.name === 'NoSuchKey'
    throw isMissing
      ? Object.assign(new Error(`ENOENT: no such file in the bucket, ${place.Key}`), { code: 'ENOENT' })
      : error
  })
  yield* Body as Readable
}
