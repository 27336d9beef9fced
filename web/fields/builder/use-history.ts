import { useState } from 'react'
import { same } from '../../../shared/edits.ts'
import { draftOwner, readDraft, writeDraft } from '../../drafts.ts'

/** Steps that can be taken back. */
const MAX_STEPS = 50

interface Past<Thing> {
  thing: Thing
  /** What was done to it then: "Moved “Name”". */
  words: string
}

interface DraftHistory<Thing> {
  thing: Thing
  past: Past<Thing>[]
  /** What it is made from: as the server had it when the work began, or when it was saved last. */
  basis: Thing
}

/** What was being worked on; null where all of it was saved, and others have changed it since. */
const draftOf = <Thing>(kept: DraftHistory<Thing> | null | undefined, begun: Thing) =>
  kept && same(kept.thing, kept.basis) && !same(kept.basis, begun) ? null : kept

/** Something that is changed step by step; each step can be taken back, also after a reload. */
export function useHistory<Thing>(draft: string, begun: Thing) {
  const [owner] = useState(draftOwner)
  const [kept, set] = useState<DraftHistory<Thing>>(
    () => draftOf(readDraft<DraftHistory<Thing>>(draft, owner), begun) ?? { thing: begun, past: [], basis: begun },
  )
  const { thing, past, basis } = kept
  // What others saved is taken over at once where nothing would be lost by it.
  const [known, setKnown] = useState(begun)
  if (!same(known, begun)) {
    setKnown(begun)
    if (same(thing, basis) && !same(basis, begun)) set({ thing: begun, past: [], basis: begun })
  }
  const keep = (next: DraftHistory<Thing>) => {
    set(next)
    writeDraft(draft, next, owner)
  }
  const last = past.at(-1)
  const after = (next: Thing, words: string) => [...past, { thing: next, words }].slice(-MAX_STEPS)
  return {
    thing,
    basis,
    change: (next: Thing, words: string) => keep({ thing: next, past: after(thing, words), basis }),
    /** It goes on from what is kept by now, which may hold what others changed: `words` says so, and can be taken back. */
    goOn: (next: Thing, from: Thing, words?: string) =>
      keep({ thing: next, past: words === undefined ? past : after(thing, words), basis: from }),
    /** What would be taken back. */
    lastWords: last?.words,
    undo: () => {
      if (last) keep({ thing: last.thing, past: past.slice(0, -1), basis })
    },
  }
}
