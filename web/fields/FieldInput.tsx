import { Trans } from '@lingui/react/macro'
import { useId } from 'react'
import type { Field, FieldOf } from '../../shared/fields/definition.ts'
import { limitDay } from '../../shared/fields/read.ts'
import { formatCents } from '../../shared/money.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox, DateField, RadioCards } from '../ui/Choice.tsx'
import { FieldGroup } from '../ui/Field.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { TextArea, TextField } from '../ui/TextField.tsx'
import { AddressInput } from './AddressInput.tsx'
import { FilesInput } from './FilesInput.tsx'
import { RowsInput } from './RowsInput.tsx'
import { SignatureInput } from './SignatureInput.tsx'
import { type InputProps, useSurroundings } from './surroundings.tsx'

/** A field with more options than this shows them as a list. */
const FEW = 6

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The input of one field, by its type. */
export function FieldInput({ field, value, onChange, errorAt }: InputProps) {
  const { today, LongChoice } = useSurroundings()
  const frame = {
    label: field.label,
    hint: field.help || undefined,
    error: errorAt(),
    optional: !field.required,
  }
  const typed = {
    ...frame,
    value: text(value),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  switch (field.type) {
    case 'text':
      return field.long ? (
        <TextArea {...typed} />
      ) : (
        <TextField {...typed} autoComplete={field.prefill ? nameTokens[field.prefill] : undefined} />
      )
    case 'email':
      return <TextField {...typed} type="email" autoComplete="email" spellCheck={false} />
    case 'phone':
      return <PhoneField {...typed} />
    case 'number':
      return <TextField {...typed} inputMode={field.decimals > 0 ? 'decimal' : 'numeric'} autoComplete="off" />
    case 'money':
      return <TextField {...typed} inputMode="decimal" autoComplete="off" before="$" />
    case 'payment':
      return field.fixed === null ? (
        <TextField {...typed} inputMode="decimal" autoComplete="off" before="$" />
      ) : (
        <Amount field={field} cents={field.fixed} />
      )
    case 'computed':
      return <Amount field={field} cents={typeof value === 'number' ? value : null} error={errorAt()} />
    case 'date':
      return (
        <DateField
          {...typed}
          min={limitDay(field.earliest, today) ?? undefined}
          max={limitDay(field.latest, today) ?? undefined}
        />
      )
    case 'checkbox':
      return (
        <Checkbox
          label={field.label}
          hint={frame.hint}
          error={frame.error}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )
    case 'choice':
      return field.options.length > FEW ? (
        <LongChoice {...frame} options={field.options} value={text(value)} onChange={onChange} />
      ) : (
        <>
          <RadioCards {...frame} name={field.name} options={field.options} value={text(value)} onChange={onChange} />
          {!field.required && text(value) !== '' && (
            <Button variant="quiet" size="small" className="-mt-2 self-start" onClick={() => onChange('')}>
              <Trans>
                Clear<span className="spoken"> {field.label}</span>
              </Trans>
            </Button>
          )}
        </>
      )
    case 'choices':
      return <Choices field={field} value={value} onChange={onChange} errorAt={errorAt} />
    case 'reading':
      return (
        <div className="max-w-text">
          <h3 className="mb-2">{field.label}</h3>
          {field.text.split(/\n{2,}/).map((paragraph, at) => (
            <p key={at} className="mb-3 whitespace-pre-line last:mb-0">
              {paragraph}
            </p>
          ))}
        </div>
      )
    case 'address':
      return <AddressInput field={field} value={value} onChange={onChange} errorAt={errorAt} />
    case 'file':
      return <FilesInput field={field} value={value} onChange={onChange} errorAt={errorAt} />
    case 'signature':
      return <SignatureInput field={field} value={value} onChange={onChange} errorAt={errorAt} />
    case 'table':
      return <RowsInput field={field} value={value} onChange={onChange} errorAt={errorAt} Cell={FieldInput} />
  }
}

const nameTokens: Partial<Record<string, string>> = {
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
}

function Choices({ field, value, onChange, errorAt }: InputProps<FieldOf<'choices'>>) {
  const id = useId()
  const chosen = Array.isArray(value) ? (value as unknown[]) : []
  return (
    <FieldGroup id={id} label={field.label} hint={field.help || undefined} error={errorAt()} optional={!field.required}>
      <div className="flex flex-col">
        {field.options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={chosen.includes(option.value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, option.value] : chosen.filter((other) => other !== option.value))
            }
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** Amount that the person does not type, because it is fixed or computed from the answers. */
function Amount({ field, cents, error }: { field: Field; cents: number | null; error?: string | undefined }) {
  const { range } = useSurroundings()
  const open = field.type === 'computed' && field.charged && range ? range : <Trans>Not yet known</Trans>
  return (
    <div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-b py-2">
        <span className="font-bold text-sm">{field.label}</span>
        <output className="font-bold tabular-nums">{cents === null ? open : formatCents(cents)}</output>
      </p>
      {field.help && <p className="text-muted text-sm">{field.help}</p>}
      {error && (
        <p role="alert" className="font-bold text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  )
}
