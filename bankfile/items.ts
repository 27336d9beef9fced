import type { NachaFile } from './nacha/layouts.ts'

/** One thing that a bank says of an entry of ours: that it came back, or what is to be corrected. */
export interface Item {
  kind: 'return' | 'change'
  /** Of the entry in the bank's file. */
  line: number
  code: string
  originalTrace: string
  amountCents: number
  /** Of a change: 29 characters. */
  data: string
}

/** What a bank's file says, in the order of its lines. Of several addenda the last one counts: it is about those before. */
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
