import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type EditConflict, same } from '../../../shared/edits.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { messageOf } from '../../call.ts'
import { editConflictOf } from '../../ui/form.ts'
import { toast } from '../../ui/Toasts.tsx'
import { useHistory } from './use-history.ts'

export interface WorkingCopyInput {
  /** Id of the definition. It distinguishes the builder's drafts from those of other definitions. */
  name: string
  /** The stored definition. */
  stored: Definition
  /**
   * Saves the working copy of staff, whether finished or not (`saveFieldSet`). Returns the stored version if it
   * includes changes that others made since `basis`. Otherwise returns nothing. The name of the definition is saved in
   * another form.
   */
  onSave: (definition: Definition, basis: Definition) => Promise<Definition | void> | Definition | void
  /**
   * Publishes the saved version (`publishFieldSet`). Receives the version that the person has seen. Returns the version
   * number.
   */
  onPublish: (definition: Definition) => Promise<number> | number
}

/** Working copy of a definition: its changes with undo, and the calls that save and publish it. */
export function useWorkingCopy({ name, stored, onSave, onPublish }: WorkingCopyInput) {
  const { t } = useLingui()
  const draft = `builder-${name}`
  const history = useHistory<Definition>(draft, stored)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const [conflict, setConflict] = useState<EditConflict | null>(null)

  const work = async (action: () => Promise<string>) => {
    setBusy(true)
    setFailure('')
    setConflict(null)
    try {
      toast(await action())
    } catch (error) {
      const changed = editConflictOf(error)
      setConflict(changed)
      if (!changed) setFailure(messageOf(error))
    }
    setBusy(false)
  }
  /** Saves a definition. @returns true if the stored version now also includes changes that others made */
  const keep = async (next: Definition, from: Definition): Promise<boolean> => {
    const now = (await onSave(next, from)) ?? next
    const isJoined = !same(now, next)
    history.goOn(now, now, isJoined ? t`Merged changes from others` : undefined)
    return isJoined
  }
  const save = (next = history.value, from = history.basis) =>
    work(async () =>
      (await keep(next, from)) ? t`Draft saved. It now includes changes that others made.` : t`Draft saved.`,
    )
  const publish = () =>
    work(async () => {
      if (await keep(history.value, history.basis))
        return t`Others made changes, so nothing has been published yet. Review the changes, then publish.`
      const version = await onPublish(history.value)
      return t`Version ${version} of the fields was published.`
    })
  return {
    draft,
    definition: history.value,
    isSaved: same(history.value, history.basis),
    change: history.change,
    undo: history.undo,
    lastLabel: history.lastLabel,
    busy,
    failure,
    conflict,
    save: () => save(),
    publish,
    /** Saves the definition that results after staff choose between conflicting changes. */
    resolveConflict: (next: Definition, from: Definition) => {
      history.goOn(next, from, t`Resolved an edit conflict`)
      return save(next, from)
    },
  }
}
