import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { EditConflict } from '../../../shared/edits.ts'
import type { Answer } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { answerText } from '../../../shared/fields/labels.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { ConflictChoice, type Side } from '../../../web/ui/ConflictChoice.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'

interface Props {
  definition: Definition
  of: EditConflict
  onChosen: (values: Record<string, unknown>, from: Record<string, unknown>) => Promise<unknown>
}

/** Choice between two values that two people entered for the same field. Both values stay visible. */
export function ChooseWhatCounts({ definition, of: { fieldConflicts, merged, now }, onChosen }: Props) {
  const { t } = useLingui()
  const [sides, setSides] = useState<Record<string, Side>>({})
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const fields = new Map(allFields(definition).map((field) => [field.name, field]))
  const valueText = (name: string, value: unknown): string => {
    if (name === 'location') return (value as LocationValue).text
    const field = fields.get(name)
    return field && value !== null && value !== undefined ? answerText(field, value as Answer) : t`Not answered`
  }
  const save = async () => {
    setIsSubmitted(true)
    if (fieldConflicts.some(({ field }) => !sides[field])) return
    const chosen = fieldConflicts.map(({ field, own, others }) => [field, sides[field] === 'others' ? others : own])
    setBusy(true)
    try {
      await onChosen({ ...merged, ...Object.fromEntries(chosen) }, now)
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <Card as="div" className="flex max-w-180 flex-col gap-5">
      <h2>
        <Trans>Someone else also changed this registration</Trans>
      </h2>
      <p>
        <Trans>Your changes are not saved yet, but nothing is lost. Choose which values to save.</Trans>
      </p>
      {fieldConflicts.map(({ field, by, at, own, others }) => (
        <ConflictChoice
          key={field}
          name={field}
          label={field === 'location' ? t`Address` : (fields.get(field)?.label ?? field)}
          by={by}
          at={at}
          own={valueText(field, own)}
          others={valueText(field, others)}
          value={sides[field]}
          unchosen={isSubmitted}
          onChoose={(side) => setSides({ ...sides, [field]: side })}
        />
      ))}
      <Refusal>{refusal}</Refusal>
      <div>
        <Button variant="primary" busy={busy} onClick={() => void save()}>
          <Trans>Save chosen values</Trans>
        </Button>
      </div>
    </Card>
  )
}
