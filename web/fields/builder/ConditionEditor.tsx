import { Trans, useLingui } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { useId } from 'react'
import type { Comparison, Condition, Field } from '../../../shared/fields/definition.ts'
import { comparisonsIn } from '../../../shared/fields/walk.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Choice.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { RemoveButton } from '../RemoveButton.tsx'
import { comparable, ComparisonInput, firstComparison } from './ComparisonInput.tsx'

interface ConditionEditorProps {
  value: Condition | null
  onChange: (value: Condition | null) => void
  fields: readonly Field[]
  errorAt: (part?: string) => string | undefined
}

const ofKind = (kind: string, list: Comparison[]): Condition => (kind === 'or' ? { or: list } : { and: list })

/**
 * Editor for a condition such as "Show this when … is …". A condition has one or more lines. Staff choose whether all
 * lines or any line must be true.
 */
export function ConditionEditor({ value, onChange, fields, errorAt }: ConditionEditorProps) {
  const { t } = useLingui()
  const id = useId()
  const comparableFields = comparable(fields)
  const [first] = comparableFields
  const lines = comparisonsIn(value)
  const kind = value === null ? 'always' : 'and' in value ? 'and' : 'or'
  const set = (next: Comparison[]) => onChange(next.length === 0 ? null : ofKind(kind, next))
  return (
    <fieldset className="flex flex-col gap-3 border-line border-t pt-4">
      <legend className="spoken">
        <Trans>Display condition</Trans>
      </legend>
      <Select
        label={t`Show`}
        value={kind}
        hint={first ? undefined : t`To use a condition, first add a field above.`}
        options={[
          { value: 'always', label: t`Always` },
          ...(first || value !== null
            ? [
                { value: 'and', label: t`Only if all conditions are true` },
                { value: 'or', label: t`Only if any condition is true` },
              ]
            : []),
        ]}
        onChange={({ target }) =>
          onChange(
            target.value === 'always'
              ? null
              : ofKind(target.value, lines.length > 0 ? lines : first ? [firstComparison(first)] : []),
          )
        }
      />
      {lines.map((line, at) => (
        // The position is the key, because lines have no ids. Lines are added only at the end, but any line can be
        // removed.
        <fieldset key={at} className="flex flex-col gap-2 rounded-sm border border-line p-3">
          <legend className="px-1 font-bold text-sm">{t`Condition ${at + 1}`}</legend>
          <ComparisonInput
            id={`${id}-${at}`}
            value={line}
            fields={comparableFields}
            error={errorAt(String(at))}
            onChange={(changed) => set(lines.with(at, changed))}
          />
          <RemoveButton label={t`Remove condition ${at + 1}`} onClick={() => set(lines.toSpliced(at, 1))} />
        </fieldset>
      ))}
      <FieldError id={id}>{errorAt()}</FieldError>
      {value !== null && first && (
        <div>
          <Button size="small" icon={Plus} onClick={() => set([...lines, firstComparison(first)])}>
            <Trans>Add a condition</Trans>
          </Button>
        </div>
      )}
    </fieldset>
  )
}
