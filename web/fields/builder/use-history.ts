import { useState } from 'react'
import { same } from '../../../shared/edits.ts'
import { draftOwner, readDraft, writeDraft } from '../../drafts.ts'

/** Number of changes that can be undone. */
const MAX_STEPS = 50

interface Past<Thing> {
  thing: Thing
  /** Description of the change: "Moved “Name”". */
  words: string
}

interface DraftHistory<Thing> {
  thing: Thing
  past: Past<Thing>[]
  /** Stored version at the start of the work or at the last save. */
  basis: Thing
}

/** Returns the draft. Null if it was saved completely and others have changed it since. */
const draftOf = <Thing>(stored: DraftHistory<Thing> | null | undefined, initial: Thing) =>
  stored && same(stored.thing, stored.basis) && !same(stored.basis, initial) ? null : stored

/** Value with undo for each change, also after a reload. */
export function useHistory<Thing>(draft: string, initial: Thing) {
  const [owner] = useState(draftOwner)
  const [stored, set] = useState<DraftHistory<Thing>>(
    () =>
      draftOf(readDraft<DraftHistory<Thing>>(draft, owner), initial) ?? { thing: initial, past: [], basis: initial },
  )
  const { thing, past, basis } = stored
  // Changes of others are applied immediately if no local change would be lost.
  const [loaded, setLoaded] = useState(initial)
  if (!same(loaded, initial)) {
    setLoaded(initial)
    if (same(thing, basis) && !same(basis, initial)) set({ thing: initial, past: [], basis: initial })
  }
  const save = (next: DraftHistory<Thing>) => {
    set(next)
    writeDraft(draft, next, owner)
  }
  const last = past.at(-1)
  const after = (next: Thing, label: string) => [...past, { thing: next, words: label }].slice(-MAX_STEPS)
  return {
    thing,
    basis,
    change: (next: Thing, label: string) => save({ thing: next, past: after(thing, label), basis }),
    /** Continues from the stored version, which may include changes of others. `words` describes them for undo. */
    goOn: (next: Thing, from: Thing, label?: string) =>
      save({ thing: next, past: label === undefined ? past : after(thing, label), basis: from }),
    /** Description of the change that undo would revert. */
    lastWords: last?.words,
    undo: () => {
      if (last) save({ thing: last.thing, past: past.slice(0, -1), basis })
    },
  }
}
