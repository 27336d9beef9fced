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
export function TypeSettings(props: SettingsProps) {
  const { field, onChange, errorAt } = props
  switch (field.type) {
    case 'text':
      return <TextSettings {...props} field={field} />
    case 'choice':
      return (
        <OptionsInput
          value={field.options}
          onChange={(options) => onChange({ ...field, options })}
          error={optionError(errorAt, field)}
        />
      )
    case 'choices':
      return <ChoicesSettings {...props} field={field} />
    case 'number':
      return <NumberSettings {...props} field={field} />
    case 'money':
      return <AmountLimits {...props} field={field} />
    case 'payment':
      return <PaymentSettings {...props} field={field} />
    case 'date':
      return <DateSettings {...props} field={field} />
    case 'file':
      return <FileSettings {...props} field={field} />
    case 'reading':
      return <ReadingSettings {...props} field={field} />
    case 'table':
      return <TableSettings {...props} field={field} />
    case 'computed':
      return <TermsEditor {...props} field={field} />
    default:
      return null
  }
}

/** Returns a function that binds a NumberInput to a numeric setting of the field. */
const numberInput =
  ({ field, onChange, errorAt }: Omit<SettingsProps, 'fields'>) =>
  (part: string, fallback: number | null = null) => ({
    value: (field as unknown as Record<string, number | null>)[part] ?? null,
    onChange: (value: number | null) => onChange({ ...field, [part]: value ?? fallback } as Field),
    error: errorAt(part),
  })

function TextSettings({ field, onChange, errorAt }: SettingsProps<FieldOf<'text'>>) {
  const { t } = useLingui()
  const number = numberInput({ field, onChange, errorAt })
  return (
    <>
      <Checkbox
        label={<Trans>Multiple lines</Trans>}
        checked={field.long}
        onChange={({ target }) => onChange({ ...field, long: target.checked })}
      />
      <Pair>
        <NumberInput label={t`Minimum characters`} {...number('minLength', 0)} />
        <NumberInput label={t`Maximum characters`} {...number('maxLength', 200)} />
      </Pair>
    </>
  )
}

function ChoicesSettings({ field, onChange, errorAt }: SettingsProps<FieldOf<'choices'>>) {
  const { t } = useLingui()
  const number = numberInput({ field, onChange, errorAt })
  return (
    <>
      <OptionsInput
        value={field.options}
        onChange={(options) => onChange({ ...field, options })}
        error={optionError(errorAt, field)}
      />
      <Pair>
        <NumberInput label={t`Minimum`} {...number('min', 0)} />
        <NumberInput label={t`Maximum`} optional {...number('max')} />
      </Pair>
    </>
  )
}

function NumberSettings(props: SettingsProps<FieldOf<'number'>>) {
  const { t } = useLingui()
  const number = numberInput(props)
  return (
    <>
      <Pair>
        <NumberInput label={t`Minimum`} optional {...number('min')} />
        <NumberInput label={t`Maximum`} optional {...number('max')} />
      </Pair>
      <NumberInput label={t`Decimal places`} {...number('decimals', 0)} />
    </>
  )
}

function PaymentSettings({ field, onChange, fields, errorAt }: SettingsProps<FieldOf<'payment'>>) {
  const { t } = useLingui()
  return (
    <>
      <MoneyField
        label={t`Fixed amount`}
        optional
        hint={t`Leave empty if the person enters the amount.`}
        value={field.fixed}
        onChange={(fixed) => onChange({ ...field, fixed })}
        error={errorAt('fixed')}
      />
      {field.fixed === null && <AmountLimits field={field} onChange={onChange} fields={fields} errorAt={errorAt} />}
    </>
  )
}

function DateSettings({ field, onChange, errorAt }: SettingsProps<FieldOf<'date'>>) {
  const { t } = useLingui()
  return (
    <>
      <DayLimit
        label={t`Earliest day`}
        value={field.earliest}
        onChange={(earliest) => onChange({ ...field, earliest })}
        error={errorAt('earliest')}
      />
      <DayLimit
        label={t`Latest day`}
        value={field.latest}
        onChange={(latest) => onChange({ ...field, latest })}
        error={errorAt('latest')}
      />
    </>
  )
}

function FileSettings({ field, onChange, errorAt }: SettingsProps<FieldOf<'file'>>) {
  const { t } = useLingui()
  const number = numberInput({ field, onChange, errorAt })
  return (
    <>
      <Select
        label={t`Accepted files`}
        value={field.accept}
        options={[
          { value: 'images', label: t`Images` },
          { value: 'documents', label: t`Images and PDF documents` },
        ]}
        onChange={({ target }) => onChange({ ...field, accept: target.value as typeof field.accept })}
      />
      <Pair>
        <NumberInput label={t`Maximum files`} {...number('maxFiles', 1)} />
        <NumberInput label={t`Maximum MB per file`} {...number('maxMegabytes', 10)} />
      </Pair>
    </>
  )
}

function ReadingSettings({ field, onChange, errorAt }: SettingsProps<FieldOf<'reading'>>) {
  const { t } = useLingui()
  return (
    <TextArea
      label={t`Text`}
      hint={t`An empty line starts a new paragraph.`}
      rows={8}
      value={field.text}
      onChange={({ target }) => onChange({ ...field, text: target.value })}
      error={errorAt('text')}
    />
  )
}

function TableSettings({ field, onChange, fields, errorAt }: SettingsProps<FieldOf<'table'>>) {
  const { t } = useLingui()
  const number = numberInput({ field, onChange, errorAt })
  return (
    <>
      <ColumnsEditor field={field} onChange={onChange} fields={fields} errorAt={errorAt} />
      <TextField
        label={t`Row name`}
        hint={t`Use the singular, for example: person.`}
        optional
        maxLength={40}
        value={field.row ?? ''}
        onChange={({ target }) => onChange({ ...field, row: target.value })}
        error={errorAt('row')}
      />
      <Pair>
        <NumberInput label={t`Minimum rows`} {...number('min', 0)} />
        <NumberInput label={t`Maximum rows`} {...number('max', 20)} />
      </Pair>
    </>
  )
}

const optionError = (errorAt: (part: string) => string | undefined, { options }: FieldOf<'choice' | 'choices'>) =>
  errorAt('options') ?? options.map((_, at) => errorAt(`options.${at}.label`) ?? errorAt(`options.${at}`)).find(Boolean)

function AmountLimits({ field, onChange, errorAt }: SettingsProps<FieldOf<'money' | 'payment'>>) {
  const { t } = useLingui()
  return (
    <Pair>
      <MoneyField
        label={t`Minimum`}
        optional
        value={field.min}
        onChange={(min) => onChange({ ...field, min })}
        error={errorAt('min')}
      />
      <MoneyField
        label={t`Maximum`}
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
          { value: 'none', label: t`No limit` },
          { value: 'today', label: t`Day the question is answered` },
          { value: 'day', label: t`Specific date` },
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
      label={t`Prefill with`}
      value={field.prefill ?? ''}
      placeholder={t`Nothing`}
      options={(prefillsOf[field.type] ?? []).map((one) => ({ value: one, label: t(prefillLabels[one]) }))}
      onChange={({ target }) => onChange({ ...field, prefill: target.value || null } as Field)}
      error={errorAt('prefill')}
    />
  )
}
