import { Trans, useLingui } from '@lingui/react/macro'
import { blankField, blankStep } from '../../../shared/fields/blank.ts'
import type { Definition, FormStep } from '../../../shared/fields/definition.ts'
import { nameFrom } from '../../../shared/fields/mistakes.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { type NodeRef, stepOf } from './changes.ts'
import { FieldEditor, NEW, StepEditor } from './Editors.tsx'

/** Step or field to edit, or the type of row to add. `to` is the id of the step for a new field. */
export type EditTarget = NodeRef | { add: 'field' | 'step'; to?: string }

interface EditDialogProps {
  target: EditTarget
  definition: Definition
  /** Prefix of the editors' drafts. */
  draft: string
  onClose: () => void
  /** `label` describes the change for undo. */
  onChange: (next: Definition, label: string) => void
}

export function EditDialog({ target, definition, draft, onClose, onChange }: EditDialogProps) {
  const { t } = useLingui()
  if ('step' in target || ('add' in target && target.add === 'step'))
    return (
      <StepEditor
        definition={definition}
        draft={`${draft}-${'step' in target ? `step-${target.step}` : 'new-step'}`}
        initial={
          definition.steps.find(({ id }) => 'step' in target && id === target.step) ??
          blankStep(
            nameFrom(
              'step',
              definition.steps.map(({ id }) => id),
            ),
          )
        }
        onClose={onClose}
        onDone={(next, { title }) => onChange(next, 'step' in target ? t`Changed “${title}”` : t`Added “${title}”`)}
      />
    )
  const step = stepForField(target, definition)
  const field = 'field' in target ? step?.fields.find(({ name }) => name === target.field) : undefined
  // The edited field can be missing after an undo.
  if (!step || ('field' in target && !field)) return null
  return (
    <FieldEditor
      definition={definition}
      stepId={step.id}
      draft={`${draft}-${field?.name ?? NEW}`}
      initial={field ?? blankField('text', NEW)}
      onClose={onClose}
      onDone={(next, { label }) => onChange(next, field ? t`Changed “${label}”` : t`Added “${label}”`)}
    />
  )
}

/**
 * Returns the step that contains the edited field. For a new field, returns the chosen step, or the last step if none
 * was chosen.
 */
function stepForField(
  target: { field: string } | { add: 'field' | 'step'; to?: string },
  definition: Definition,
): FormStep | undefined {
  if ('field' in target) return stepOf(definition, target.field)
  return definition.steps.find(({ id }) => id === target.to) ?? definition.steps.at(-1)
}

interface ConfirmPublishProps {
  latestVersion: number
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export const ConfirmPublish = ({ latestVersion, busy, onConfirm, onClose }: ConfirmPublishProps) => (
  <ConfirmDialog
    title={<Trans>Publish version {latestVersion + 1} of the fields?</Trans>}
    confirmLabel={<Trans>Publish fields</Trans>}
    busy={busy}
    onConfirm={onConfirm}
    onClose={onClose}
  >
    {latestVersion === 0 ? (
      <Trans>After you publish, people will fill out these fields.</Trans>
    ) : (
      <Trans>
        After you publish, people will fill out version {latestVersion + 1}. Submitted answers will keep the version
        they were submitted with. Drafts will move to the new version, and people will see what changed.
      </Trans>
    )}
  </ConfirmDialog>
)
