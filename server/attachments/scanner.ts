import { connect, type NetConnectOpts } from 'node:net'
import { Readable } from 'node:stream'

/** Content of a file, or a function that opens it. */
export type Content = Buffer | (() => Readable)

/** Result of a scan: clean, the name of a virus, or a file above the scanner's limit. */
export type ScanResult = { clean: true } | { finding: string } | { tooLarge: true }

/** Virus scanner for uploaded files. @throws ScannerAway if the scanner sends no valid response */
export interface Scanner {
  scan(content: Content): Promise<ScanResult>
}

/** Error of a scanner that sent no valid response. The file waits for a later scan. */
export class ScannerAway extends Error {}

/** Scanner that reports every file as clean. Used if no scanner is configured. */
export const noScanner: Scanner = { scan: async () => ({ clean: true }) }

const PIECE_BYTES = 64 * 1024
/** Maximum length of a valid response, in characters. A response is one line with a virus name. */
const MAX_RESPONSE_LENGTH = 4096

/**
 * Scans with ClamAV's daemon (clamd). Its INSTREAM command receives pieces with their lengths, then an empty piece. The
 * response is one line. `timeoutMs` is the longest time without data in either direction.
 */
export const clamd = (at: NetConnectOpts, timeoutMs = 20_000): Scanner => ({
  scan: (content) =>
    new Promise((resolve, reject) => {
      const socket = connect(at)
      let response = ''
      let sent = false
      const end = (finish: () => void) => {
        finish()
        socket.destroy()
      }
      const away = (why: string) => end(() => reject(new ScannerAway(`the virus scanner ${why}`)))
      const validate = () => {
        const scanResult = scanResultOf(response)
        // An OK that arrives before the whole file was sent does not count, because the scanner can't have read all of
        // it.
        if (!scanResult || ('clean' in scanResult && !sent)) away(`answered ${JSON.stringify(response.slice(0, 80))}`)
        else end(() => resolve(scanResult))
      }
      socket.setTimeout(timeoutMs, () => away('does not answer'))
      socket.on('data', (data) => {
        response += data.toString('latin1')
        if (response.includes('\0')) validate()
        else if (response.length > MAX_RESPONSE_LENGTH) away('answers too much')
      })
      // If a file is too large, the scanner responds and closes the connection during the transfer. EPIPE is ignored,
      // so that the portal can still read that response.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') away(`cannot be reached: ${error.code ?? error.message}`)
      })
      socket.on('close', () => away('hung up'))
      socket.once('connect', () => {
        const pieces = Readable.from(instream(content), { objectMode: false })
        pieces.once('end', () => void (sent = true))
        pieces.once('error', (error) => end(() => reject(error)))
        socket.once('close', () => pieces.destroy())
        // An empty piece marks the end. The connection stays open for the response.
        pieces.pipe(socket, { end: false })
      })
    }),
})

async function* instream(content: Content): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of Buffer.isBuffer(content) ? [content] : (content() as AsyncIterable<Buffer>))
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(piece.length)
      yield length
      yield piece
    }
  yield Buffer.alloc(4)
}

function scanResultOf(response: string): ScanResult | null {
  const line = response.slice(0, response.indexOf('\0'))
  if (line === 'stream: OK') return { clean: true }
  const finding = /^stream: (.+) FOUND$/.exec(line)?.[1]
  if (finding !== undefined) return { finding }
  return /size limit exceeded/i.test(line) ? { tooLarge: true } : null
}
