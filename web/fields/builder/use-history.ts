import { useState } from 'react'
import { same } from '../../../shared/edits.ts'
import { draftOwner, readDraft, writeDraft } from '../../drafts.ts'

/** Number of changes that can be undone. */
const MAX_STEPS = 50

interface Past<Thing> {
  value: Thing
  /** Description of the change: "Moved “Name”". */
  label: string
}

interface DraftHistory<Thing> {
  value: Thing
  past: Past<Thing>[]
  /** Stored version at the start of the work or at the last save. */
  basis: Thing
}

/** Returns the draft. Null if it was saved completely and others have changed it since. */
const draftOf = <Thing>(stored: DraftHistory<Thing> | null | undefined, initial: Thing) =>
  stored && same(stored.value, stored.basis) && !same(stored.basis, initial) ? null : stored

/** Value with undo for each change, also after a reload. */
export function useHistory<Thing>(draft: string, initial: Thing) {
  const [owner] = useState(draftOwner)
  const [stored, set] = useState<DraftHistory<Thing>>(
    () =>
      draftOf(readDraft<DraftHistory<Thing>>(draft, owner), initial) ?? { value: initial, past: [], basis: initial },
  )
  const { value, past, basis } = stored
  // Changes of others are applied immediately if no local change would be lost.
  const [loaded, setLoaded] = useState(initial)
  if (!same(loaded, initial)) {
    setLoaded(initial)
    if (same(value, basis) && !same(basis, initial)) set({ value: initial, past: [], basis: initial })
  }
  const save = (next: DraftHistory<Thing>) => {
    set(next)
    writeDraft(draft, next, owner)
  }
  const last = past.at(-1)
  const after = (next: Thing, label: string) => [...past, { value: next, label }].slice(-MAX_STEPS)
  return {
    value,
    basis,
    change: (next: Thing, label: string) => save({ value: next, past: after(value, label), basis }),
    /** Continues from the stored version, which may include changes of others. `label` describes them for undo. */
    goOn: (next: Thing, from: Thing, label?: string) =>
      save({ value: next, past: label === undefined ? past : after(value, label), basis: from }),
    /** Description of the change that undo would revert. */
    lastWords: last?.label,
    undo: () => {
      if (last) save({ value: last.value, past: past.slice(0, -1), basis })
    },
  }
}
