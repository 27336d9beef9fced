import { columnOf, cut, type Layout } from './fields.ts'
import { type AnyRecord, type LayoutName, layouts } from './layouts.ts'
import { type Problem, problem } from './problems.ts'

/** Position of a record: its line, and the entry class of its batch. */
interface RecordPosition {
  line: number
  secCode: string
}

/** Returns the layout of a line by its type and batch. Undefined if its type is wrong. */
function layoutOf(line: string, { secCode }: RecordPosition): LayoutName | undefined {
  const type = line[0] ?? ''
  const isAdvice = secCode === 'ADV'
  if (type === '1') return 'fileHeader'
  if (type === '5')
    return line.slice(50, 53) === 'IAT' || line.startsWith('IATCOR', 4) ? 'iatBatchHeader' : 'batchHeader'
  if (type === '6') {
    if (secCode === 'IAT') return 'iatEntry'
    if (isAdvice) return 'adviceEntry'
    return ['CTX', 'ATX', 'TRX'].includes(secCode) ? 'countedEntry' : 'entry'
  }
  if (type === '7') return addendaLayoutOf(line)
  if (type === '8') return isAdvice ? 'adviceBatchControl' : 'batchControl'
  return type === '9' ? (isAdvice ? 'adviceFileControl' : 'fileControl') : undefined
}

function addendaLayoutOf(line: string): LayoutName | undefined {
  const typeCode = line.slice(1, 3)
  if (typeCode === '02') return 'terminalAddenda'
  if (/^(05|17|18)$/.test(typeCode)) return 'paymentAddenda'
  if (/^1[0-6]$/.test(typeCode)) return 'partyAddenda'
  if (typeCode === '98') return 'changeAddenda'
  if (typeCode !== '99') return undefined
  if (/^R6[1-9]|^R70/.test(line.slice(3, 6))) return 'dishonoredAddenda'
  return /^R7[1-7]/.test(line.slice(3, 6)) ? 'contestedAddenda' : 'returnAddenda'
}

/** Splits one line into its fields and reports digit fields with other characters. */
export function readRecord(line: string, position: RecordPosition, problems: Problem[]): AnyRecord | null {
  const layout = layoutOf(line, position)
  if (!layout) {
    const isAddenda = line.startsWith('7')
    problems.push(
      isAddenda
        ? problem(
            'addenda-type',
            { line: position.line, column: 2, field: 'typeCode' },
            `there are no addenda of the type ${line.slice(1, 3)}.`,
          )
        : problem(
            'record-type',
            { line: position.line },
            `a record begins with 1, 5, 6, 7, 8 or 9, and this one with "${line[0]}".`,
          ),
    )
    return null
  }
  const fields = cut(layouts[layout] as Layout, line, ({ field, column, value }) =>
    problems.push(problem('not-digits', { line: position.line, column, field }, `"${value}" should be digits.`)),
  )
  return { layout, fields } as AnyRecord
}

/** Returns the position of a record's field, for problem messages. */
export const fieldPositionOf = ({ layout }: AnyRecord, line: number, field: string) => ({
  line,
  column: columnOf(layouts[layout] as Layout, field),
  field,
})
