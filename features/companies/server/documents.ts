import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { addressLine } from '../../../shared/address.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { say } from '../../../shared/words.ts'
import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { inEnglish } from '../../../server/languages.ts'
import { documentPdf } from './document-pdf.ts'
import { parseText } from './document-text.ts'

/** The day on which the texts were last changed. */
const WRITTEN_ON = '2026-11-21'

/** Our own papers, by the last part of their address. Their texts are in `documents/`. */
const papers = ['privacy-policy', 'terms', 'help-guide', 'administrator-guide'] as const
type DocumentRow = (typeof papers)[number]

/** Where each of them is found, on every host. */
export const documentPaths = {
  privacy: '/documents/privacy-policy.pdf',
  terms: '/documents/terms.pdf',
  helpGuide: '/documents/help-guide.pdf',
} as const

/** The guide of the administrator's host. */
export const ADMINISTRATOR_GUIDE = '/documents/administrator-guide.pdf'

/** A drawn paper is kept; there are four for each town. */
const MAX_STORED = 100
const KEPT_SECONDS = 3600

/** Serves the papers as tagged PDFs that name the town whose host they are asked from, in its color. */
export function mountDocuments(app: FastifyInstance, context: AppContext): void {
  const kept = new Map<string, { generation: number; content: Promise<Buffer> }>()
  const drawn = (paper: DocumentRow, company: Company | null): Promise<Buffer> => {
    const key = `${paper}/${company?.id ?? ''}`
    const { generation } = context.hosts
    const known = kept.get(key)
    if (known?.generation === generation) return known.content
    // The papers are whole texts in English: in another language each is another file.
    const content = inEnglish(() => draw(context, paper, company))
    content.catch(() => kept.delete(key))
    if (kept.size >= MAX_STORED) kept.clear()
    kept.set(key, { generation, content })
    return content
  }
  for (const paper of papers)
    app.get(`/documents/${paper}.pdf`, async (request, reply) => {
      const host = await context.hosts.resolve(request.headers.host)
      const content = await drawn(paper, host.kind === 'town' ? host.company : null)
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${paper}.pdf"`)
        .header('cache-control', `public, max-age=${KEPT_SECONDS}`)
        .send(content)
    })
}

async function draw(context: AppContext, paper: DocumentRow, company: Company | null): Promise<Buffer> {
  const text = await readFile(new URL(`../documents/${paper}.md`, import.meta.url), 'utf8')
  return buffer(documentPdf(parseText(fill(text, wordsFor(context, company))), company, WRITTEN_ON))
}

/** What the places in braces say for this town. */
function wordsFor({ config }: AppContext, company: Company | null): Record<string, string> {
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

const fill = (text: string, words: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => words[name] ?? place)
