import type { ImportReport, RecordKind } from '../shared/imports.ts'
import type { TestPortal } from './harness.ts'

interface Choices {
  mode?: 'preview' | 'import'
  rowErrors?: 'refuse' | 'leave out'
  /** Chosen columns as JSON. Without it, the file needs exact names. */
  columns?: string
}

/** Returns a function that imports a file of the screen Imports as this person. */
export const importerOf =
  ({ app }: Pick<TestPortal, 'app'>, host: string, token: string) =>
  async (kind: RecordKind, content: string, choices: Choices = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ kind, mode: 'import', ...choices })) form.append(name, value)
    form.append('file', new Blob([content]), 'records.csv')
    const request = new Request('http://x', { method: 'POST', body: form })
    const response = await app.inject({
      ...{ method: 'POST', url: '/api/v2/muni/import/records', payload: Buffer.from(await request.arrayBuffer()) },
      headers: {
        ...{ host, authorization: `Bearer ${token}` },
        'content-type': request.headers.get('content-type') ?? '',
      },
    })
    return { status: response.statusCode, body: response.json<ImportReport & { message: string }>() }
  }
