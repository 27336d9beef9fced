import { createServer } from 'node:http'

/** Minimal server that answers each request with the bytes from its start argument. */
const { headers, body } = JSON.parse(process.argv[2] ?? '') as { headers: Record<string, string>; body: string }
const bytes = Buffer.from(body, 'base64')
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, headers).end(bytes))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
