import { createServer, type Server, type Socket } from 'node:net'

/** Content that the test scanner reports as a virus. */
export const VIRUS = 'MAINSTREET-TEST-VIRUS'

type ScannerBehavior =
  | 'scan'
  | 'hang up at once'
  | 'hang up in the middle'
  | 'half an answer'
  | 'silent'
  | 'nonsense'
  | 'early OK'

/**
 * Test scanner that speaks ClamAV's INSTREAM protocol: chunks with length prefixes, and one response. If a file has
 * more than `maxBytes`, it refuses the file during the transfer, as the daemon does with StreamMaxLength. It can
 * simulate errors.
 */
export class TestClamd {
  manner: ScannerBehavior = 'scan'
  maxBytes = 25_000_000
  /** Files that the scanner received completely. */
  readonly seen: Buffer[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => socket.destroy())
      this.#serve(socket)
    })
  }

  listen(at: { port: number } | { path: string }): Promise<void> {
    return new Promise((resolve) => this.#server.listen({ host: '127.0.0.1', ...at }, resolve))
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }

  #serve(socket: Socket): void {
    if (this.manner === 'hang up at once') return void socket.destroy()
    if (this.manner === 'early OK') return void socket.write('stream: OK\0')
    const command = Buffer.from('zINSTREAM\0')
    const pieces: Buffer[] = []
    let buffer = Buffer.alloc(0)
    let started = false
    let size = 0
    socket.on('data', (data) => {
      buffer = Buffer.concat([buffer, data])
      if (!started) {
        if (buffer.length < command.length) return
        if (!buffer.subarray(0, command.length).equals(command)) return void socket.end('UNKNOWN COMMAND\0')
        started = true
        buffer = buffer.subarray(command.length)
      }
      while (buffer.length >= 4) {
        const length = buffer.readUInt32BE(0)
        if (length === 0) return this.#respond(socket, Buffer.concat(pieces))
        if (buffer.length < 4 + length) return
        pieces.push(Buffer.from(buffer.subarray(4, 4 + length)))
        size += length
        buffer = buffer.subarray(4 + length)
        if (this.manner === 'hang up in the middle') return void socket.destroy()
        if (size > this.maxBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      }
    })
  }

  #respond(socket: Socket, content: Buffer): void {
    this.seen.push(content)
    if (this.manner === 'silent') return
    if (this.manner === 'nonsense') return void socket.end('stream: Can’t allocate memory ERROR\0')
    const result = content.includes(VIRUS) ? 'stream: Mainstreet.Test FOUND\0' : 'stream: OK\0'
    socket.end(this.manner === 'half an answer' ? result.slice(0, 8) : result)
  }
}
