import { useRef, useState } from 'react'

type Key = string | number

/** The rows that somebody chose, over all pages of one question. */
export interface Selection<Row> {
  rows: readonly Row[]
  has: (row: Row) => boolean
  /** `through`: all from the last that was chosen or left, as they stand in `shown`. */
  choose: (row: Row, isChosen: boolean, through: boolean, shown: readonly Row[]) => void
  chooseAll: (shown: readonly Row[], areChosen: boolean) => void
  /** What remains chosen, by key. */
  keep: (keys: readonly Key[]) => void
}

/** @param question what is asked: rows that were chosen for another one are chosen no longer */
export function useSelection<Row>(
  rowKey: (row: Row) => Key,
  shownNow: readonly Row[],
  question: string,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<Key, Row>>(new Map())
  const [asked, setAsked] = useState(question)
  const last = useRef<Key | null>(null)
  if (asked !== question) {
    setAsked(question)
    setChosen(new Map())
  }
  // As they are by now, where they are on show.
  const current = new Map(shownNow.map((row) => [rowKey(row), row]))
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
    choose: (row, isChosen, through, shown) => {
      const keys = shown.map(rowKey)
      const [from, to] = [keys.indexOf(last.current ?? ''), keys.indexOf(rowKey(row))].toSorted((a, b) => a - b)
      last.current = rowKey(row)
      set(through && from !== undefined && to !== undefined && from >= 0 ? shown.slice(from, to + 1) : [row], isChosen)
    },
    chooseAll: set,
    keep: (keys) => setChosen((before) => new Map([...before].filter(([key]) => keys.includes(key)))),
  }
}
