import { useState } from 'react'
import { draftOwner, readDraft, writeDraft } from '../../drafts.ts'

/** Steps that can be taken back. */
const MOST = 50

interface Past<Thing> {
  thing: Thing
  /** What was done to it then: "Moved “Name”". */
  words: string
}

interface Kept<Thing> {
  thing: Thing
  past: Past<Thing>[]
}

/** Something that is changed step by step; each step can be taken back, also after a reload. */
export function useHistory<Thing>(draft: string, begun: Thing) {
  const [owner] = useState(draftOwner)
  const [{ thing, past }, set] = useState<Kept<Thing>>(
    () => readDraft<Kept<Thing>>(draft, owner) ?? { thing: begun, past: [] },
  )
  const keep = (next: Kept<Thing>) => {
    set(next)
    writeDraft(draft, next, owner)
  }
  const last = past.at(-1)
  return {
    thing,
    change: (next: Thing, words: string) => keep({ thing: next, past: [...past, { thing, words }].slice(-MOST) }),
    /** What would be taken back. */
    lastWords: last?.words,
    undo: () => {
      if (last) keep({ thing: last.thing, past: past.slice(0, -1) })
    },
  }
}
