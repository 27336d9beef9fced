import { connect, type NetConnectOpts } from 'node:net'
import { Readable } from 'node:stream'

/** What is in a file, or what opens it. */
export type Content = Buffer | (() => Readable)

/** What a virus scanner says of a file: nothing against it, the name of what it found, or that it is more than it looks at. */
export type ScanResult = { clean: true } | { found: string } | { tooLarge: true }

/** Looks for viruses in what is kept. @throws ScannerAway */
export interface Scanner {
  scan(content: Content): Promise<ScanResult>
}

/** The scanner gave no answer that counts. The file waits and is looked at later. */
export class ScannerAway extends Error {}

/** Where no scanner is configured. */
export const noScanner: Scanner = { scan: async () => ({ clean: true }) }

const PIECE_BYTES = 64 * 1024
/** No answer is longer; a name of a virus is a line. */
const MAX_ANSWER_LENGTH = 4096

/**
 * ClamAV's daemon, by its command INSTREAM: pieces, each after its length, an empty one at the end, and one line as answer.
 * `patienceMs`: so long neither side may keep silent.
 */
export const clamd = (at: NetConnectOpts, patienceMs = 20_000): Scanner => ({
  scan: (content) =>
    new Promise((resolve, reject) => {
      const socket = connect(at)
      let answer = ''
      let sent = false
      const end = (settle: () => void) => {
        settle()
        socket.destroy()
      }
      const away = (why: string) => end(() => reject(new ScannerAway(`the virus scanner ${why}`)))
      const judge = () => {
        const verdict = verdictOf(answer)
        // An OK before everything was sent is not about this file.
        if (!verdict || ('clean' in verdict && !sent)) away(`answered ${JSON.stringify(answer.slice(0, 80))}`)
        else end(() => resolve(verdict))
      }
      socket.setTimeout(patienceMs, () => away('does not answer'))
      socket.on('data', (data) => {
        answer += data.toString('latin1')
        if (answer.includes('\0')) judge()
        else if (answer.length > MAX_ANSWER_LENGTH) away('answers too much')
      })
      // A file that is too large is answered in the middle, and the connection closed: what was said is read first.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') away(`cannot be reached: ${error.code ?? error.message}`)
      })
      socket.on('close', () => away('hung up'))
      socket.once('connect', () => {
        const pieces = Readable.from(instream(content), { objectMode: false })
        pieces.once('end', () => void (sent = true))
        pieces.once('error', (error) => end(() => reject(error)))
        socket.once('close', () => pieces.destroy())
        // Its end is a piece of its own: the connection stays open for the answer.
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

function verdictOf(answer: string): ScanResult | null {
  const line = answer.slice(0, answer.indexOf('\0'))
  if (line === 'stream: OK') return { clean: true }
  const found = /^stream: (.+) FOUND$/.exec(line)?.[1]
  if (found !== undefined) return { found }
  return /size limit exceeded/i.test(line) ? { tooLarge: true } : null
}
