import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { EditConflict } from '../../../shared/edits.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { fromParts } from '../../../shared/fields/parts.ts'
import { Button } from '../../ui/Button.tsx'
import { ConflictChoice, type Side, SideBySide } from '../../ui/ConflictChoice.tsx'
import { type DescribedNode, differences } from './describe.ts'
import { Text } from '../../ui/Text.tsx'

interface FieldConflictsProps {
  conflict: EditConflict
  busy: boolean
  onChosen: (definition: Definition, basis: Definition) => void
}

/**
 * Fields and steps that two people changed differently, side by side. Staff choose between the versions before saving.
 */
export function FieldConflicts({ conflict: { fieldConflicts, now, merged }, busy, onChosen }: FieldConflictsProps) {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const [unchosen, setUnchosen] = useState(false)
  const definitionOf = (parts: Record<string, unknown>): Definition => ({ steps: fromParts(parts).steps })
  const save = () => {
    if (fieldConflicts.some(({ field }) => !chosen[field])) return setUnchosen(true)
    const others = fieldConflicts
      .filter(({ field }) => chosen[field] === 'others')
      .map(({ field }) => [field, now[field]])
    onChosen(definitionOf({ ...merged, ...Object.fromEntries(others) }), definitionOf(now))
  }
  const changesOf = (field: string, one: Record<string, unknown>, other: Record<string, unknown>) => {
    const value = one[field]
    if (field.startsWith('home ')) return (one[`step ${String(value)}`] as DescribedNode & { title: string })?.title
    if (value === null) return t`Removed`
    if (typeof value === 'string') return value
    const changes = differences(value as DescribedNode, other[field] as DescribedNode | null, definitionOf(one), t)
    return changes.map(({ part, label, text }) => (
      <span key={part} className="block whitespace-pre-wrap wrap-anywhere">
        <Text>{label}</Text>: <strong className="text-ink">{text}</strong>
      </span>
    ))
  }
  return (
    <SideBySide
      unchosen={unchosen}
      className="mb-4"
      text={<Trans>Your changes are not saved yet, but nothing is lost. Choose which values to save.</Trans>}
    >
      {fieldConflicts.map(({ field, label, by, at }) => (
        <ConflictChoice
          key={field}
          name={`choice-${field}`}
          label={label ?? field}
          by={by}
          at={at}
          others={changesOf(field, now, merged)}
          own={changesOf(field, merged, now)}
          value={chosen[field]}
          unchosen={unchosen}
          onChoose={(side) => setChosen({ ...chosen, [field]: side })}
        />
      ))}
      <div>
        <Button variant="primary" busy={busy} onClick={save}>
          <Trans>Save choices</Trans>
        </Button>
      </div>
    </SideBySide>
  )
}
