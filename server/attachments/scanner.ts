import { connect, type NetConnectOpts } from 'node:net'
import { Readable } from 'node:stream'

/** Content of a file, or a function that opens it. */
export type Content = Buffer | (() => Readable)

/** Result of a scan: clean, the name of a virus, or a file above the scanner's limit. */
export type ScanResult = { clean: true } | { finding: string } | { tooLarge: true }

/** Virus scanner for uploaded files. @throws ScannerAway */
export interface Scanner {
  scan(content: Content): Promise<ScanResult>
}

/** Error of a scanner without a valid answer. The file waits for a later scan. */
export class ScannerAway extends Error {}

/** Used if no scanner is configured. */
export const noScanner: Scanner = { scan: async () => ({ clean: true }) }

const PIECE_BYTES = 64 * 1024
/** Maximum length of a valid answer, in characters. An answer is one line with a virus name. */
const MAX_RESPONSE_LENGTH = 4096

/**
 * Scans with ClamAV's daemon. Its INSTREAM command takes pieces with their lengths and an empty piece at the end. Its
 * answer is one line. `timeoutMs` is the longest allowed silence of either side.
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
      // If a file is too large, the scanner answers and closes the connection during the transfer. The portal reads
      // that answer before it handles the socket error.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') away(`cannot be reached: ${error.code ?? error.message}`)
      })
      socket.on('close', () => away('hung up'))
      socket.once('connect', () => {
        const pieces = Readable.from(instream(content), { objectMode: false })
        pieces.once('end', () => void (sent = true))
        pieces.once('error', (error) => end(() => reject(error)))
        socket.once('close', () => pieces.destroy())
        // An empty piece marks the end, and the connection stays open for the answer.
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
