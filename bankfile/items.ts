import type { NachaFile } from './nacha/layouts.ts'

/** Item of a bank's file about one of our entries: a return or a correction. */
export interface Item {
  kind: 'return' | 'change'
  /** Line number of the entry in the bank's file. */
  line: number
  code: string
  originalTrace: string
  amountCents: number
  /** Corrected data in a notification of change (COR), 29 characters. */
  data: string
}

/**
 * Lists the items of a bank's file in line order. Only the last addenda record of an entry counts, because it refers to
 * the earlier ones.
 */
export function itemsOf({ batches }: NachaFile): Item[] {
  const items: Item[] = []
  let line = 2
  for (const { entries } of batches) {
    line++
    for (const { record, addenda } of entries) {
      const last = addenda.findLast(({ fields }) => Number(fields.typeCode) >= 98)
      const of = { line, originalTrace: '', amountCents: record.fields.amount, data: '' }
      if (last?.layout === 'changeAddenda') {
        const { changeCode: code, originalTrace, correctedData: data } = last.fields
        items.push({ ...of, kind: 'change', code, originalTrace, data })
      } else if (last && 'returnCode' in last.fields) {
        const { returnCode: code, originalTrace } = last.fields
        items.push({ ...of, kind: 'return', code, originalTrace })
      }
      line += 1 + addenda.length
    }
    line++
  }
  return items
}
