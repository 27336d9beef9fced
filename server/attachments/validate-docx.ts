import { unzipSync } from 'fflate'
import type { Fault } from './validate-pdf.ts'

const MAX_PARTS = 2000
const MACROS = /vbaproject|vbadata|macroenabled/i
/** Paths of parts that embed programs or other files. */
const HOLDS_OTHERS = /(?:^|\/)(?:embeddings|activeX|oleObjects?)\/|oleObject\d*\.bin$|activeX\d*\.(?:bin|xml)$/i
const HOLDS_OTHERS_BY_TYPE = /oleobject|activex|officedocument\.package|afchunk/i
/** Type of the only external reference that a document may have: a hyperlink that a person clicks. */
const LINK = /\/hyperlink$/i

/** Opens a Word document and checks its parts and their references. Runs in a separate thread. */
export function validateDocx(content: Uint8Array): Fault | null {
  const names: string[] = []
  let parts: Record<string, Uint8Array>
  try {
    parts = unzipSync(content, {
      filter: ({ name }) => names.push(name) <= MAX_PARTS && /\.(?:rels|xml)$/i.test(name),
    })
  } catch {
    return 'unreadable'
  }
  if (names.length > MAX_PARTS || !names.includes('word/document.xml')) return 'unreadable'
  if (names.some((name) => MACROS.test(name))) return 'macros'
  if (names.some((name) => HOLDS_OTHERS.test(name))) return 'holds others'
  for (const [name, bytes] of Object.entries(parts)) {
    const text = plain(bytes)
    if (text === null) return 'unreadable'
    const fault = faultOf(name, text)
    if (fault) return fault
  }
  return null
}

function faultOf(name: string, text: string): Fault | null {
  if (/\[Content_Types\]\.xml$/i.test(name)) {
    if (MACROS.test(text)) return 'macros'
    if (HOLDS_OTHERS_BY_TYPE.test(text)) return 'holds others'
  }
  if (/\.rels$/i.test(name))
    for (const [relationship] of text.matchAll(/<[\w:]*Relationship\b[^>]*>/g)) {
      const type = attribute(relationship, 'Type')
      if (MACROS.test(type)) return 'macros'
      if (HOLDS_OTHERS_BY_TYPE.test(type)) return 'holds others'
      if (/^external$/i.test(attribute(relationship, 'TargetMode').trim()) && !LINK.test(type)) return 'fetches'
    }
  // A DDE field starts a program. Word may split the field's name over several pieces of text, so the check joins them.
  const fields = [...text.matchAll(/<w:instrText[^>]*>([^<]*)|w:instr="([^"]*)"/g)]
  return /\bDDE(?:AUTO)?\b/i.test(fields.map(([, spread, whole]) => spread ?? `${whole} `).join('')) ? 'active' : null
}

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)?.slice(1).find(Boolean) ?? ''

/** Decodes the text of a part, including numeric character references. Null for an encoding that Word never writes. */
function plain(bytes: Uint8Array): string | null {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  const text = new TextDecoder(wide ?? 'utf-8').decode(bytes)
  if (text.includes('\0') || /<!(?:DOCTYPE|ENTITY)/i.test(text)) return null
  return text.replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex: string | undefined, decimal: string) => {
    const code = hex ? parseInt(hex, 16) : Number(decimal)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
  })
}
