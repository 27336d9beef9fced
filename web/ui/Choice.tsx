import { ChevronDown } from 'lucide-react'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  useLayoutEffect,
  useRef,
} from 'react'
import { translated } from '../../shared/messages.ts'
import { cx } from './cx.ts'
import { selectFormValue } from './late-options.ts'
import {
  controlClasses,
  FieldError,
  FieldFrame,
  FieldGroup,
  FieldHint,
  type FieldProps,
  useField,
  useFieldIds,
} from './Field.tsx'

export interface Option<Value extends string | number = string | number> {
  value: Value
  label: string
}

/** Converts a record of labels by code to options. */
export const optionsOf = <Code extends string>(labels: Readonly<Record<Code, string>>): Option<Code>[] =>
  (Object.entries(labels) as [Code, string][]).map(([value, label]) => ({ value, label: translated(label) }))

export interface SelectProps extends FieldProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> {
  options: readonly Option[]
  /** Label of the empty first option: 'Choose a state'. Without it, the first of `options` is selected. */
  placeholder?: string
  ref?: (element: HTMLSelectElement | null) => void
}

/** The browser's own select. For hundreds of options, use `office/SelectWithSearch`. */
export function Select({ options, placeholder, ...props }: SelectProps) {
  const { frame, control } = useField(props)
  const select = useRef<HTMLSelectElement>(null)
  const values = options.map(({ value }) => value).join(' ')
  useLayoutEffect(() => selectFormValue(select.current), [values])
  const { ref } = control
  return (
    <FieldFrame {...frame}>
      <div className="relative">
        <select
          {...control}
          ref={(element) => {
            select.current = element
            ref?.(element)
          }}
          className={cx(controlClasses(frame.error), 'appearance-none pe-9 text-ellipsis')}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          size={18}
          aria-hidden
          className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-muted"
        />
      </div>
    </FieldFrame>
  )
}

export interface CheckboxProps
  extends
    Omit<FieldProps, 'hideLabel' | 'optional'>,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'> {
  ref?: Ref<HTMLInputElement>
}

export function Checkbox({ label, hint, error, className, id, ...input }: CheckboxProps) {
  const ids = useFieldIds({ hint, error }, id)
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label className="flex min-h-8 items-start gap-3">
        <input type="checkbox" {...input} {...ids.control} className="mt-0.75 size-5 shrink-0" />
        <span>{label}</span>
      </label>
      {hint && <FieldHint id={ids.id}>{hint}</FieldHint>}
      <FieldError id={ids.id}>{error}</FieldError>
    </div>
  )
}

export interface RadioCard<Value extends string | number> extends Option<Value> {
  /** Explanation below the label. */
  note?: ReactNode
  /** Content on the right, such as an amount. */
  aside?: ReactNode
  disabled?: boolean
}

export interface RadioCardsProps<Value extends string | number> extends FieldProps {
  name: string
  options: readonly RadioCard<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  /** Number of columns on wider screens. */
  columns?: 2 | 3
}

const columnsClass = { 2: 'md:grid-cols-2', 3: 'md:grid-cols-3' }

/** Radio buttons for a few options, each with an explanation. Spread `form.choice('name')` into the props. */
export function RadioCards<Value extends string | number>({
  name,
  options,
  value,
  onChange,
  columns,
  ...field
}: RadioCardsProps<Value>) {
  const ids = useFieldIds(field)
  return (
    <FieldGroup {...field} id={ids.id}>
      <div className={cx('mt-1 grid gap-2', columns && columnsClass[columns])}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'flex min-h-12 items-start gap-3 rounded-sm border bg-surface px-4 py-3 transition-colors',
              'has-checked:border-link has-checked:bg-tint has-checked:ring-1 has-checked:ring-link',
              option.disabled ? 'border-dashed border-edge text-muted' : 'border-edge hover:bg-tint',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
              className="mt-1 size-5 shrink-0"
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap justify-between gap-x-3 font-bold">
                <span>{option.label}</span>
                {option.aside && <span className="tabular-nums">{option.aside}</span>}
              </span>
              {option.note && <span className="block text-muted text-sm">{option.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}

/** Props of a field for a day that uses the browser's own calendar. The value is YYYY-MM-DD. */
export interface DateFieldProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'> {
  ref?: Ref<HTMLInputElement>
}

export function DateField(props: DateFieldProps) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <input type="date" {...control} className={controlClasses(frame.error)} />
    </FieldFrame>
  )
}
