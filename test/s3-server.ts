import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createLine, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import S3rver from '@20minutes/s3rver'

export const BUCKET = 'town-files'

export interface S3Server {
  /** Environment variables for a portal that uses this server. */
  env: { S3_BUCKET: string; S3_ENDPOINT: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string }
  objects(): string[]
  /** Returns the number of multipart uploads that were neither completed nor aborted. */
  unfinishedUploads(): number
  close(): Promise<void>
}

/** Starts an S3 server on loopback, with one bucket below `directory`. The server refuses wrong signatures. */
export async function startS3(directory: string): Promise<S3Server> {
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] })
  await s3.configureBuckets()
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  const server = createServer(givingUp(uploads, s3.callback())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    objects: () =>
      readdirSync(join(directory, BUCKET), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace('._S3rver_object', '')),
    unfinishedUploads: () => (existsSync(uploads) ? readdirSync(uploads).length : 0),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Starts the S3 server as a separate process. */
export async function startSeparateS3(directory: string): Promise<Pick<S3Server, 'env' | 'close'>> {
  const entry = fileURLToPath(new URL('commands/s3-server.ts', import.meta.url))
  const child = spawn(process.execPath, [entry, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const close = async () => {
    child.kill()
    await once(child, 'exit')
  }
  return { env: JSON.parse(line.toString()) as S3Server['env'], close }
}

/** Adds a call that the S3 server lacks, which aborts a failed multipart upload. */
function givingUp(uploads: string, handle: RequestListener): RequestListener {
  return (request, response) => {
    const id = new URL(request.url ?? '/', 'http://s3').searchParams.get('uploadId')
    if (request.method !== 'DELETE' || !id || !/^\w+$/.test(id)) return handle(request, response)
    rmSync(join(uploads, id), { recursive: true, force: true })
    response.writeHead(204).end()
  }
}

/** Opens a proxy that a test can interrupt. A cut ends all connections, and new connections then also fail. */
export async function cuttableLine(to: string) {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let left = { up: Infinity, down: Infinity }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const line = createLine((near) => {
    const far = connect(Number(port), hostname)
    const carry = (from: Socket, into: Socket, direction: 'up' | 'down') => {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
      from.on('data', (bytes) => {
        left[direction] -= bytes.length
        if (left[direction] < 0) cut()
        else if (!into.write(bytes)) {
          from.pause()
          into.once('drain', () => from.resume())
        }
      })
    }
    carry(near, far, 'up')
    carry(far, near, 'down')
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    /** Sets how many more bytes pass in each direction before the cut. */
    cutAfter: (bytes: { up?: number; down?: number }) => void (left = { up: Infinity, down: Infinity, ...bytes }),
    restore: () => void (left = { up: Infinity, down: Infinity }),
    close: async () => {
      cut()
      line.close()
      await once(line, 'close')
    },
  }
}
