import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { EditConflict, FieldConflict } from '../../shared/edits.ts'
import { ConflictChoice, type Side, SideBySide } from './ConflictChoice.tsx'
import type { ZodForm } from './form.ts'

export interface FormConflict extends EditConflict {
  /** The form's values when the server refused the save. */
  own: FieldValues
  isFinished: boolean
}

interface ConflictsProps {
  form: ZodForm<FieldValues, unknown>
  element: HTMLFormElement
  conflict: FormConflict
  /** True if Save was pressed before all choices were made. */
  unchosen: boolean
  onResolved: () => void
}

/**
 * Shows conflicting values of a form side by side, with the author and time of the other change. The chosen value goes
 * into the field.
 */
export default function FieldConflicts({ form, element, conflict, unchosen, onResolved }: ConflictsProps) {
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const { fieldConflicts, now, merged, own } = conflict

  // Runs once. Rebases the form on the stored values, and fills in other people's changes to fields without a conflict.
  useEffect(() => {
    form.rebase(now)
    const formValues = form.toFormValues(merged)
    const collided = new Set(fieldConflicts.map(({ field }) => field))
    for (const field of Object.keys(own))
      if (field in formValues && !collided.has(field))
        form.setValue(field, formValues[field] as never, { shouldDirty: true })
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per conflict, because each conflict remounts it
  }, [])

  const choose = ({ field, others, both }: FieldConflict, side: Side) => {
    const chosenValue = side === 'both' ? both : others
    const value = side === 'own' ? own[field] : form.toFormValues({ ...now, [field]: chosenValue })[field]
    form.setValue(field, value as never, { shouldDirty: true })
    const next = { ...chosen, [field]: side }
    setChosen(next)
    if (fieldConflicts.every((one) => next[one.field])) onResolved()
  }
  return (
    <SideBySide
      unchosen={unchosen}

      text={
        <Trans>Your changes are not saved yet, but nothing is lost. Choose which values to use, then save again.</Trans>
      }
    >
      {fieldConflicts.map((fieldConflict) => {
        const { field, by, at, texts } = fieldConflict
        const others = form.toFormValues({ ...now, [field]: fieldConflict.others })[field]
        return (
          <ConflictChoice
            key={field}
            name={`choice-${field}`}
            label={fieldConflict.label ?? labelOf(element, field)}
            by={by}
            at={at}
            others={<ValueText element={element} field={field} value={others} textValue={texts?.others} />}
            own={<ValueText element={element} field={field} value={own[field]} textValue={texts?.own} />}
            both={fieldConflict.both !== undefined}
            value={chosen[field]}
            unchosen={unchosen}
            onChoose={(side) => choose(fieldConflict, side)}
          />
        )
      })}
    </SideBySide>
  )
}

/** Returns the field's label without its "optional" mark, or the label of a radio group. */
function labelOf(element: HTMLFormElement, field: string): string {
  const control = element.elements.namedItem(field)
  const label =
    control instanceof RadioNodeList
      ? (control[0] as HTMLElement).closest('fieldset')?.querySelector('legend')
      : control instanceof HTMLFieldSetElement
        ? control.querySelector('legend')
        : (control as HTMLInputElement | null)?.labels?.[0]
  return [...(label?.childNodes ?? [])].find((node) => node.textContent)?.textContent ?? field
}

interface ValueTextProps {
  element: HTMLFormElement
  field: string
  value: unknown
  /** The server's own text for the value, if it sent one. */
  textValue: string | undefined
}

/** Shows a value in the same format as its field. */
function ValueText({ element, field, value, textValue }: ValueTextProps) {
  const { t } = useLingui()
  const control = element.elements.namedItem(field)
  const plain =
    typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : Array.isArray(value)
        ? value.filter((one) => typeof one === 'string').join('\n')
        : ''
  const chosen = (options: Iterable<unknown>) => [...options].find((one) => (one as HTMLInputElement).value === plain)
  const textIn = () => {
    if (control instanceof HTMLSelectElement) return (chosen(control.options) as HTMLOptionElement | undefined)?.text
    if (control instanceof RadioNodeList)
      return (chosen(control) as HTMLInputElement | undefined)?.labels?.[0]?.textContent
    if (control instanceof HTMLInputElement && control.type === 'checkbox') return value ? t`Yes` : t`No`
    return plain
  }
  const text = textValue ?? textIn()
  return <span className="whitespace-pre-wrap wrap-anywhere">{text || t`(empty)`}</span>
}
