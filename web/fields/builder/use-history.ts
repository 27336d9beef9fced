import { useState } from 'react'
import { same } from '../../../shared/edits.ts'
import { draftOwner, readDraft, writeDraft } from '../../drafts.ts'

/** Number of changes that can be undone. */
const MAX_STEPS = 50

interface Past<Value> {
  value: Value
  /** Description of the change, such as "Moved “Name”". */
  label: string
}

interface DraftHistory<Value> {
  value: Value
  past: Past<Value>[]
  /** Stored version that the changes are based on, from the start of the work or the last save. */
  basis: Value
}

/** Returns the draft. Null if the draft has no unsaved changes and others have changed the stored version since. */
const draftOf = <Value>(stored: DraftHistory<Value> | null | undefined, initial: Value) =>
  stored && same(stored.value, stored.basis) && !same(stored.basis, initial) ? null : stored

/** Manages a value with undo for each change, even after a reload. */
export function useHistory<Value>(draft: string, initial: Value) {
  const [owner] = useState(draftOwner)
  const [stored, set] = useState<DraftHistory<Value>>(
    () =>
      draftOf(readDraft<DraftHistory<Value>>(draft, owner), initial) ?? { value: initial, past: [], basis: initial },
  )
  const { value, past, basis } = stored
  // Shows other people's changes immediately if this person has no unsaved changes.
  const [loaded, setLoaded] = useState(initial)
  if (!same(loaded, initial)) {
    setLoaded(initial)
    if (same(value, basis) && !same(basis, initial)) set({ value: initial, past: [], basis: initial })
  }
  const save = (next: DraftHistory<Value>) => {
    set(next)
    writeDraft(draft, next, owner)
  }
  const last = past.at(-1)
  const after = (next: Value, label: string) => [...past, { value: next, label }].slice(-MAX_STEPS)
  return {
    value,
    basis,
    change: (next: Value, label: string) => save({ value: next, past: after(value, label), basis }),
    /**
     * Continues from the stored version, which may include changes of others. `label` describes these changes for undo.
     */
    goOn: (next: Value, from: Value, label?: string) =>
      save({ value: next, past: label === undefined ? past : after(value, label), basis: from }),
    /** Description of the change that undo would revert. */
    lastLabel: last?.label,
    undo: () => {
      if (last) save({ value: last.value, past: past.slice(0, -1), basis })
    },
  }
}
