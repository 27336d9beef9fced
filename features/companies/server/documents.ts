import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { addressLine } from '../../../shared/address.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { inEnglish } from '../../../server/languages.ts'
import { documentPdf } from './document-pdf.ts'
import { parseText } from './document-text.ts'

/** Day of the last change to the texts. */
const WRITTEN_ON = '2026-11-21'

/** The portal's documents, by the last part of their URL. Their texts are in `documents/`. */
const documentNames = ['privacy-policy', 'terms', 'help-guide', 'administrator-guide'] as const
type DocumentRow = (typeof documentNames)[number]

export const documentPaths = {
  privacy: '/documents/privacy-policy.pdf',
  terms: '/documents/terms.pdf',
  helpGuide: '/documents/help-guide.pdf',
} as const

export const ADMINISTRATOR_GUIDE = '/documents/administrator-guide.pdf'

/** Maximum number of rendered documents in the cache. Each company has four. */
const MAX_STORED = 100
const CACHE_SECONDS = 3600

/** Serves the documents as tagged PDFs with the name and color of the host's company. */
export function mountDocuments(app: FastifyInstance, context: AppContext): void {
  const cache = new Map<string, { generation: number; content: Promise<Buffer> }>()
  const cachedPdf = (documentName: DocumentRow, company: Company | null): Promise<Buffer> => {
    const key = `${documentName}/${company?.id ?? ''}`
    const { generation } = context.hosts
    const cached = cache.get(key)
    if (cached?.generation === generation) return cached.content
    // The documents are full texts in English. Another language needs a separate file.
    const content = inEnglish(() => render(context, documentName, company))
    content.catch(() => cache.delete(key))
    if (cache.size >= MAX_STORED) cache.clear()
    cache.set(key, { generation, content })
    return content
  }
  for (const documentName of documentNames)
    app.get(`/documents/${documentName}.pdf`, async (request, reply) => {
      const host = await context.hosts.resolve(request.headers.host)
      const content = await cachedPdf(documentName, host.kind === 'company' ? host.company : null)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${documentName}.pdf"`)
        .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
        .send(content)
    })
}

async function render(context: AppContext, documentName: DocumentRow, company: Company | null): Promise<Buffer> {
  const text = await readFile(new URL(`../documents/${documentName}.md`, import.meta.url), 'utf8')
  return buffer(documentPdf(parseText(fill(text, placeholdersFor(context, company))), company, WRITTEN_ON))
}

/** Returns the placeholder values of a company. */
function placeholdersFor({ config }: AppContext, company: Company | null): Record<string, string> {
  const supportPhone = formatPhone(config.supportPhone)
  return {
    town: company?.name ?? say`Your municipality`,
    address: company ? originOf(config, company.subdomain) : originOf(config, null),
    contact: company
      ? [company.name, addressLine(company), formatPhone(company.phone), company.website].filter(Boolean).join(' · ')
      : say`Mainstreet · ${supportPhone}`,
    supportPhone,
    adminAddress: originOf(config, 'admin'),
    date: formatDate(WRITTEN_ON),
  }
}

const fill = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
