import { RECORD_LENGTH } from './fields.ts'
import type { FileForm } from './layouts.ts'
import { type Problem, problem } from './problems.ts'

export interface ReadOptions {
  /** `any` reads lines with missing or extra trailing blanks, as banks send them, and rewrites them unchanged. */
  trailingBlanks?: 'exact' | 'any'
  /** `optional` also accepts a file that does not fill its last block of ten lines with nines. */
  filler?: 'required' | 'optional'
  /**
   * `bank` is for files that a bank sends. It skips the originator rules, because a bank does not change its files. It
   * checks totals and counts, which prove that the file is complete.
   */
  rules?: 'originator' | 'bank'
}

/** Maximum file size in bytes. Enough for 150,000 entries with addenda, more than any company sends. */
const LARGEST = 30_000_000

const FILLER = '9'.repeat(RECORD_LENGTH)

/** Lines of the records, 94 characters each, and the original form of the file. */
export interface Lines {
  records: string[]
  form: FileForm
  problems: Problem[]
}

/** Splits a file into lines and checks the rules of each line. Bytes beyond ASCII are read as Latin-1. */
export function readLines(file: Uint8Array | string, options: ReadOptions): Lines {
  const sent = typeof file === 'string' ? file : Buffer.from(file).toString('latin1')
  const text = options.rules === 'bank' ? withOneLineEnd(sent) : sent
  const form: FileForm = { lineEnd: lineEndOf(text), lineEndsAtEnd: 0, fillerLines: 0, otherLengths: {} }
  const refuse = (refusal: Problem): Lines => ({ records: [], form, problems: [refusal] })
  if (text.length > LARGEST)
    return refuse(problem('too-large', { line: 1 }, `the file has more than ${LARGEST} bytes.`))
  if (text.trim() === '') return refuse(problem('empty', { line: 1 }, 'the file is empty.'))
  const lines = divide(text, form)
  const problems = lines.flatMap((line, at) => complaintsOf(line, at, options))
  if (problems.some(({ code }) => code === 'line-length')) return { records: [], form, problems }
  const whole = lines.map((line, at) => {
    if (line.length !== RECORD_LENGTH) form.otherLengths[at] = line.length
    return line.padEnd(RECORD_LENGTH).slice(0, RECORD_LENGTH)
  })
  const { records, filler } = withoutFiller(whole)
  form.fillerLines = filler
  if (lines.length % 10 !== 0 && !(options.filler === 'optional' && filler === 0))
    problems.push(
      problem(
        'blocking',
        { line: lines.length },
        `a file has blocks of ten lines, and this one has ${lines.length} lines.`,
      ),
    )
  return { records, form, problems }
}

/** Removes the byte order mark and the end-of-file mark, and converts all line ends to `\n`. */
const withOneLineEnd = (text: string): string =>
  text
    .replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, '')
    .replace(/[^\P{Cc}\s]+\s*$/u, '')
    .replaceAll(/\r\n?/g, '\n')

const lineEndOf = (text: string): FileForm['lineEnd'] => {
  if (text.includes('\r\n')) return '\r\n'
  return text.includes('\n') ? '\n' : ''
}

function divide(text: string, form: FileForm): string[] {
  const { lineEnd } = form
  if (lineEnd === '') return cutEvenly(text)
  const lines = text.split(lineEnd)
  while (lines.at(-1 - form.lineEndsAtEnd) === '') form.lineEndsAtEnd++
  const [first = '', ...others] = lines.slice(0, lines.length - form.lineEndsAtEnd)
  if (others.length > 0 || first.length <= RECORD_LENGTH) return [first, ...others]
  form.isOneLine = true
  return cutEvenly(first)
}

const cutEvenly = (text: string): string[] => text.match(new RegExp(`[^]{1,${RECORD_LENGTH}}`, 'g')) ?? []

/** Removes the lines of nines that fill the last block after the file control. Returns their number as `filler`. */
function withoutFiller(lines: readonly string[]): { records: string[]; filler: number } {
  let filler = 0
  while (filler < lines.length && lines[lines.length - 1 - filler] === FILLER) filler++
  return { records: lines.slice(0, lines.length - filler), filler }
}

function complaintsOf(line: string, at: number, { trailingBlanks = 'exact' }: ReadOptions): Problem[] {
  const where = { line: at + 1 }
  const complaints: Problem[] = []
  const stray = /[\r\n]/.exec(line)
  if (stray)
    complaints.push(
      problem('line-end', { ...where, column: stray.index + 1 }, 'it ends in another way than the lines before.'),
    )
  const invalidChar = /[^\x20-\x7e\r\n]/.exec(line)
  if (invalidChar)
    complaints.push(
      problem(
        'character',
        { ...where, column: invalidChar.index + 1 },
        `the character ${codePoint(invalidChar[0])} at column ${invalidChar.index + 1} is not one of the letters, digits and signs of a bank file.`,
      ),
    )
  const meant = trailingBlanks === 'any' ? line.trimEnd().length : line.length
  if (meant > RECORD_LENGTH || (trailingBlanks === 'exact' && meant < RECORD_LENGTH) || meant === 0)
    complaints.push(
      problem(
        'line-length',
        { ...where, column: Math.min(line.length, RECORD_LENGTH) + 1 },
        `a record has ${RECORD_LENGTH} characters, and this one has ${line.length}.`,
      ),
    )
  return complaints
}

const codePoint = (character: string) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
