import { Trans, useLingui } from '@lingui/react/macro'
import type { Field, FieldOf } from '../../../shared/fields/definition.ts'
import { prefillsOf } from '../../../shared/fields/mistakes.ts'
import { Checkbox, DateField, Select } from '../../ui/Choice.tsx'
import { MoneyField } from '../../ui/MoneyField.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { ColumnsEditor } from './ColumnsEditor.tsx'
import { prefillLabels } from './labels.ts'
import { NumberInput } from './NumberInput.tsx'
import { OptionsInput } from './OptionsInput.tsx'
import type { SettingsProps } from './settings.ts'
import { TermsEditor } from './TermsEditor.tsx'

const Pair = ({ children }: { children: React.ReactNode }) => <div className="grid grid-cols-2 gap-3">{children}</div>

/** Extra settings of a field type: limits, options, columns. */
export function TypeSettings({ field, onChange, fields, errorAt }: SettingsProps) {
  const { t } = useLingui()
  const set = (part: object) => onChange({ ...field, ...part } as Field)
  const number = (part: string, fallback: number | null = null) => ({
    value: (field as unknown as Record<string, number | null>)[part] ?? null,
    onChange: (value: number | null) => set({ [part]: value ?? fallback }),
    error: errorAt(part),
  })
  switch (field.type) {
    case 'text':
      return (
        <>
          <Checkbox
            label={<Trans>Several lines</Trans>}
            checked={field.long}
            onChange={({ target }) => set({ long: target.checked })}
          />
          <Pair>
            <NumberInput label={t`Least characters`} {...number('minLength', 0)} />
            <NumberInput label={t`Most characters`} {...number('maxLength', 200)} />
          </Pair>
        </>
      )
    case 'choice':
      return (
        <OptionsInput
          value={field.options}
          onChange={(options) => set({ options })}
          error={optionError(errorAt, field)}
        />
      )
    case 'choices':
      return (
        <>
          <OptionsInput
            value={field.options}
            onChange={(options) => set({ options })}
            error={optionError(errorAt, field)}
          />
          <Pair>
            <NumberInput label={t`At least`} {...number('min', 0)} />
            <NumberInput label={t`At most`} optional {...number('max')} />
          </Pair>
        </>
      )
    case 'number':
      return (
        <>
          <Pair>
            <NumberInput label={t`Least`} optional {...number('min')} />
            <NumberInput label={t`Most`} optional {...number('max')} />
          </Pair>
          <NumberInput label={t`Digits after the point`} {...number('decimals', 0)} />
        </>
      )
    case 'money':
      return <AmountLimits {...{ field, onChange, fields, errorAt }} />
    case 'payment':
      return (
        <>
          <MoneyField
            label={t`Fixed amount`}
            optional
            hint={t`Leave it empty where the person enters the amount.`}
            value={field.fixed}
            onChange={(fixed) => set({ fixed })}
            error={errorAt('fixed')}
          />
          {field.fixed === null && <AmountLimits {...{ field, onChange, fields, errorAt }} />}
        </>
      )
    case 'date':
      return (
        <>
          <DayLimit
            label={t`Earliest day`}
            value={field.earliest}
            onChange={(earliest) => set({ earliest })}
            error={errorAt('earliest')}
          />
          <DayLimit
            label={t`Latest day`}
            value={field.latest}
            onChange={(latest) => set({ latest })}
            error={errorAt('latest')}
          />
        </>
      )
    case 'file':
      return (
        <>
          <Select
            label={t`What can be added`}
            value={field.accept}
            options={[
              { value: 'pictures', label: t`Pictures` },
              { value: 'documents', label: t`Pictures and PDF documents` },
            ]}
            onChange={({ target }) => set({ accept: target.value })}
          />
          <Pair>
            <NumberInput label={t`Most files`} {...number('maxFiles', 1)} />
            <NumberInput label={t`Most megabytes each`} {...number('maxMegabytes', 10)} />
          </Pair>
        </>
      )
    case 'reading':
      return (
        <TextArea
          label={t`Text`}
          hint={t`An empty line begins a new paragraph.`}
          rows={8}
          value={field.text}
          onChange={({ target }) => set({ text: target.value })}
          error={errorAt('text')}
        />
      )
    case 'table':
      return (
        <>
          <ColumnsEditor {...{ field, onChange, fields, errorAt }} />
          <TextField
            label={t`Name of a row`}
            hint={t`In the singular, for example: person`}
            optional
            maxLength={40}
            value={field.row ?? ''}
            onChange={({ target }) => set({ row: target.value })}
            error={errorAt('row')}
          />
          <Pair>
            <NumberInput label={t`Least rows`} {...number('min', 0)} />
            <NumberInput label={t`Most rows`} {...number('max', 20)} />
          </Pair>
        </>
      )
    case 'computed':
      return <TermsEditor {...{ field, onChange, fields, errorAt }} />
    default:
      return null
  }
}

const optionError = (errorAt: (part: string) => string | undefined, { options }: FieldOf<'choice' | 'choices'>) =>
  errorAt('options') ?? options.map((_, at) => errorAt(`options.${at}.label`) ?? errorAt(`options.${at}`)).find(Boolean)

function AmountLimits({ field, onChange, errorAt }: SettingsProps<FieldOf<'money' | 'payment'>>) {
  const { t } = useLingui()
  return (
    <Pair>
      <MoneyField
        label={t`At least`}
        optional
        value={field.min}
        onChange={(min) => onChange({ ...field, min })}
        error={errorAt('min')}
      />
      <MoneyField
        label={t`At most`}
        optional
        value={field.max}
        onChange={(max) => onChange({ ...field, max })}
        error={errorAt('max')}
      />
    </Pair>
  )
}

interface DayLimitProps {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  error: string | undefined
}

function DayLimit({ label, value, onChange, error }: DayLimitProps) {
  const { t } = useLingui()
  const kind = value === null ? 'none' : value === 'today' ? 'today' : 'day'
  return (
    <Pair>
      <Select
        label={label}
        value={kind}
        options={[
          { value: 'none', label: t`Any` },
          { value: 'today', label: t`The day it is answered` },
          { value: 'day', label: t`A day of the calendar` },
        ]}
        onChange={({ target }) => onChange(target.value === 'none' ? null : target.value === 'today' ? 'today' : '')}
      />
      {kind === 'day' && (
        <DateField label={t`Day`} value={value ?? ''} onChange={({ target }) => onChange(target.value)} error={error} />
      )}
    </Pair>
  )
}

/** Select of the profile value that prefills the input. */
export function PrefillSelect({ field, onChange, errorAt }: Omit<SettingsProps, 'fields'>) {
  const { t } = useLingui()
  if (!('prefill' in field)) return null
  return (
    <Select
      label={t`Fill in beforehand`}
      value={field.prefill ?? ''}
      placeholder={t`Nothing`}
      options={(prefillsOf[field.type] ?? []).map((one) => ({ value: one, label: t(prefillLabels[one]) }))}
      onChange={({ target }) => onChange({ ...field, prefill: target.value || null } as Field)}
      error={errorAt('prefill')}
    />
  )
}
