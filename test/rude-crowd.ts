import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'

/** Clients that waste server resources, for example with endless requests or unread responses. */
export class RudeCrowd {
  readonly #port: number
  readonly #sockets: Socket[] = []

  constructor(port: number) {
    this.#port = port
  }

  async #open(): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1')
    socket.on('error', () => {})
    this.#sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  async idle(count: number): Promise<void> {
    for (let n = 0; n < count; n += 50) await Promise.all(Array.from({ length: 50 }, () => this.#open()))
  }

  /** Sends requests that never end: half stop in the header, half in the body. */
  async endless(count: number): Promise<void> {
    const head = 'POST /api/v2/login HTTP/1.1\r\nHost: maplegrove.localhost\r\n'
    for (let n = 0; n < count; n++) {
      const socket = await this.#open()
      socket.write(
        n % 2 === 0 ? head : `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":`,
      )
    }
  }

  /** Sends requests without reading the responses. Half of the clients disconnect midway. */
  async deaf(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const socket = await this.#open()
      socket.pause()
      socket.write('GET / HTTP/1.1\r\nHost: maplegrove.localhost\r\n\r\n'.repeat(20))
      if (n % 2 === 0) socket.destroy()
    }
  }

  /**
   * Makes a call with a body of this size.
   * @returns the number of sent bytes, and the status. A connection that the server cuts counts as 413
   */
  async upload(bytes: number): Promise<{ status: number; sent: number }> {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const body = Readable.from(
      (function* () {
        for (; sent < bytes; sent += chunk.length) yield chunk
      })(),
    )
    const status = await new Promise<number>((resolve) => {
      const clientRequest = request(
        {
          ...{ host: '127.0.0.1', port: this.#port, method: 'POST', path: '/api/v2/login' },
          headers: { host: 'maplegrove.localhost', 'content-type': 'application/json' },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
      clientRequest.on('error', () => resolve(413))
      body.pipe(clientRequest)
    })
    body.destroy()
    return { status, sent }
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
