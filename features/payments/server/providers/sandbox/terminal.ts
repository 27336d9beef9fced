import * as z from 'zod/mini'
import type { Reader, TerminalVerbs } from '../provider.ts'
import type { SandboxClient } from './client.ts'

const readerResponse = z.object({ id: z.string(), label: z.string(), test_url: z.string() })
const readersResponse = z.object({ data: z.array(readerResponse) })

const READERS = '/v1/terminal/readers'

/** Builds the methods for simulated card readers. */
export function terminalVerbs(client: SandboxClient): TerminalVerbs {
  return {
    async pair(account, { code, label }, key) {
      return readerFrom(await client.post(account, READERS, readerResponse, { registration_code: code, label }, key))
    },
    async list(account) {
      const { data } = await client.get(account, READERS, readersResponse)
      return data.map(readerFrom)
    },
    async clear(account, id, key) {
      await client.post(account, `${READERS}/${id}/cancel_action`, readerResponse, {}, key)
    },
    async remove(account, id, key) {
      await client.post(account, `${READERS}/${id}/remove`, readerResponse, {}, key)
    },
  }
}

const readerFrom = ({ id, label, test_url: testUrl }: z.output<typeof readerResponse>): Reader => ({
  id,
  label,
  testUrl,
})
