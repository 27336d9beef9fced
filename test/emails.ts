import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/**
 * Starts a mail server that records the sender of each email. It can delay its responses until emails from several
 * senders have arrived.
 */
export async function listenForEmail() {
  const received: { from: string; id: string }[] = []
  let awaited = new Set<string>()
  let free = Promise.withResolvers<void>()
  free.resolve()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', async () => {
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
        received.push({ from, id: /^Message-ID: (.*)$/im.exec(text)?.[1] ?? randomUUID() })
        awaited.delete(from)
        if (awaited.size === 0) free.resolve()
        await free.promise
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    captured: received,
    holdUntilSentBy: (senders: readonly string[]) => {
      awaited = new Set(senders)
      free = Promise.withResolvers<void>()
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
