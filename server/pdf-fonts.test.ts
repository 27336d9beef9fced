import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { describe, expect, test } from 'vitest'
import { readWithPdfJs } from '../test/read-pdf.ts'
import type { Company } from './hosts.ts'
import { PrintedDocument } from './pdf-document.ts'
import { registerFonts } from './pdf-fonts.ts'

const company = {
  ...{
    name: 'Maple Grove',
    address1: '1 Main St',
    city: 'Maple Grove',
    state: 'PA',
    zipcode: '17011',
    phone: '7175550100',
  },
  ...{ themeBackground: '#ffffff', themeText: '#14532d' },
} as Company

async function printed(render: (document: PrintedDocument) => void) {
  const document = new PrintedDocument(company, { title: 'Bill', at: new Date('2026-11-20T15:00:00Z') })
  render(document)
  return readWithPdfJs(new Uint8Array(await buffer(document.end())))
}

const NAMES = [
  'Łukasz Żółć',
  'Nguyễn Thị Hường',
  'Şükrü Çağlar',
  'Kaʻimi Hōkū',
  'Иван Петров',
  'Γιώργος',
  '王小明',
  '김민수',
  'さくら',
  'Zoë Núñez',
]
const bare = (text: string) => text.replaceAll(/[\s\p{Cc}]/gu, '').normalize('NFC')

describe('PDF document', () => {
  test.each(NAMES)('prints %s in every part', async (name) => {
    const { text } = await printed((document) => {
      document.address([name, '12 Elm St'])
      document.heading(name)
      document.details([['Name', name]])
      document.table(['Name', 'Amount'], [2, 1], [[name, '$1.00']])
      document.total(name, '$1.00')
      document.note(`Dear ${name}, thank you.`, { bold: true })
    })
    expect(bare(text).split(bare(name)).length - 1).toBe(6)
    expect(text).not.toContain('couldnotbeprinted')
  })

  test('prints several scripts in one line and continues below it', async () => {
    const { text } = await printed((document) => {
      document.note(`Paid by ${NAMES.join(', ')} and nobody else.`)
      document.note('The next line')
    })
    for (const name of NAMES) expect(bare(text)).toContain(bare(name))
    expect(bare(text)).toContain('Thenextline')
  })

  test.each([['محمد علي'], ['שרה כהן']])('prints the letters of %s from right to left', async (name) => {
    const doc = new PDFDocument({ compress: false })
    registerFonts(doc)
    doc.font('text').fontSize(12).text(`Dear ${name},`)
    const width = doc.widthOfString(name)
    doc.end()
    const content = await buffer(doc)
    const { text } = await readWithPdfJs(new Uint8Array(content))
    expect([...bare(text)].toSorted().join('')).toContain([...bare(`Dear,`)].toSorted().join('').slice(0, 1))
    // PDF.js returns right-to-left text in reading order, so each word is compared separately.
    for (const word of name.split(' ')) expect(bare(text).normalize('NFKC')).toContain(word)
    expect(width).toBeGreaterThan(20)
    expect(text).not.toContain('couldnotbeprinted')
  })

  test('lists letters that no font has', async () => {
    const { text } = await printed((document) => document.note('ชื่อ'))
    expect(text).toContain('couldnotbeprinted:U+0E0A')
  })

  test('wraps a long right-to-left name in its column', async () => {
    const long = Array.from({ length: 30 }, () => 'محمد').join(' ')
    const { text } = await printed((document) => document.table(['Name', ''], [1, 3], [[long, 'next']]))
    expect(text.normalize('NFKC').split('محمد').length - 1).toBe(30)
  })
})
