import { useRef, useState } from 'react'

type Key = string | number

/** Selected rows on all pages of one query. */
export interface Selection<Row> {
  rows: readonly Row[]
  has: (row: Row) => boolean
  /**
   * Selects or deselects a row. `through`: includes all rows from the last chosen row to this row, in the order of
   * `pageRows`.
   */
  choose: (row: Row, isChosen: boolean, through: boolean, pageRows: readonly Row[]) => void
  chooseAll: (pageRows: readonly Row[], areChosen: boolean) => void
  /** Deselects all rows except those with these keys. */
  keep: (keys: readonly Key[]) => void
}

/** @param question the query. A different query clears the selection */
export function useSelection<Row>(
  rowKey: (row: Row) => Key,
  visibleRows: readonly Row[],
  question: string,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<Key, Row>>(new Map())
  const [loaded, setLoaded] = useState(question)
  const last = useRef<Key | null>(null)
  if (loaded !== question) {
    setLoaded(question)
    setChosen(new Map())
  }
  // Newest loaded data of the selected rows that are visible.
  const current = new Map(visibleRows.map((row) => [rowKey(row), row]))
  const set = (rows: readonly Row[], isChosen: boolean) =>
    setChosen((before) => {
      const after = new Map(before)
      for (const row of rows) {
        if (isChosen) after.set(rowKey(row), row)
        else after.delete(rowKey(row))
      }
      return after
    })
  return {
    rows: [...chosen].map(([key, row]) => current.get(key) ?? row),
    has: (row) => chosen.has(rowKey(row)),
    choose: (row, isChosen, through, visible) => {
      const keys = visible.map(rowKey)
      const [from, to] = [keys.indexOf(last.current ?? ''), keys.indexOf(rowKey(row))].toSorted((a, b) => a - b)
      last.current = rowKey(row)
      set(
        through && from !== undefined && to !== undefined && from >= 0 ? visible.slice(from, to + 1) : [row],
        isChosen,
      )
    },
    chooseAll: set,
    keep: (keys) => setChosen((before) => new Map([...before].filter(([key]) => keys.includes(key)))),
  }
}
