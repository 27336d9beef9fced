import { CircleAlert } from 'lucide-react'
import { Plural, Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { say } from '../../shared/messages.ts'
import { Text } from './Text.tsx'

export interface FieldProps {
  label: ReactNode
  /** Hint below the label: a format, or where to find the number. */
  hint?: ReactNode
  /** Error with an instruction, from the form's rules or the server. */
  error?: string | undefined
  /** True for an optional field. Optional fields are marked, because most fields are required. */
  optional?: boolean
  /** True if the label is only for screen readers, for example in a search field with an obvious purpose. */
  hideLabel?: boolean
  /** Maximum number of characters. If the text is longer, the field warns the person but does not shorten the text. */
  limit?: number | undefined
  className?: string
}

/** Returns the ids and attributes that connect label, hint and error with the control. */
export function useFieldIds({ hint, error }: Pick<FieldProps, 'hint' | 'error'>, customId?: string) {
  const own = useId()
  const id = customId ?? own
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    control: { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? (true as const) : undefined },
  }
}

/** Separates a field's props into those of its frame and those of its control, and connects both by ids. */
export function useField<Props extends FieldProps & { id?: string | undefined }>(props: Props) {
  const { label, hint, error, optional, hideLabel, limit, className, id, ...own } = props
  const ids = useFieldIds({ hint, error }, id)
  return {
    frame: { id: ids.id, label, hint, error, optional, hideLabel, limit, className },
    control: { ...own, ...ids.control },
  }
}

/** CSS classes that all text inputs and selects share. */
export const controlClasses = (error?: string) =>
  cx(
    'min-h-(--control) w-full rounded-sm border px-3 py-1.5 text-ink disabled:bg-tint disabled:text-muted [&[readonly]]:bg-tint',
    error ? 'border-danger bg-danger-tint' : 'border-edge bg-surface',
  )

interface FrameProps extends FieldProps {
  id: string
  children: ReactNode
}

/** Label, hint, control and error, one below the other. */
export function FieldFrame({ id, label, hint, error, optional, hideLabel, limit, className, children }: FrameProps) {
  const [over, setOver] = useState(0)
  const measure = ({ target }: FormEvent) => {
    if (limit !== undefined && 'value' in target) setOver(Math.max(0, String(target.value).trim().length - limit))
  }
  return (
    <div className={cx('field flex min-w-0 flex-col gap-1', className)} onInput={measure}>
      <label htmlFor={id} className={cx('font-bold text-sm', hideLabel && 'spoken')}>
        <Text>{label}</Text>
        {optional && <OptionalMark />}
      </label>
      {hint && <FieldHint id={id}>{hint}</FieldHint>}
      <Text>{children}</Text>
      <FieldError id={id}>{error}</FieldError>
      {over > 0 && limit !== undefined && !error && (
        <p role="status" className="font-bold text-danger text-sm">
          <Plural value={over} one="# character too many." other="# characters too many." />{' '}
          <Trans>The limit is {limit}.</Trans>
        </p>
      )}
    </div>
  )
}

export const OptionalMark = () => (
  <span className="font-normal text-muted">
    {' '}
    <Text>{say`(optional)`}</Text>
  </span>
)

export const FieldHint = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={`${id}-hint`} className="text-muted text-sm">
    {children}
  </p>
)

export const FieldError = ({ id, children }: { id: string; children: string | undefined }) =>
  children ? (
    <p id={`${id}-error`} className="flex items-start gap-2 font-bold text-danger text-sm">
      <CircleAlert size={16} aria-hidden className="mt-0.75 shrink-0" />
      <span>{children}</span>
    </p>
  ) : null

/** Group of controls under one label, such as radio cards or a date range. */
export function FieldGroup(props: FrameProps & { name?: string }) {
  const { id, name, label, hint, error, optional, hideLabel, className, children } = props
  return (
    <fieldset
      id={id}
      name={name}
      className={cx('min-w-0', className)}
      {...(error && { 'data-error': `${id}-error` })}
      aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
    >
      <legend className={cx('mb-1 font-bold text-sm', hideLabel && 'spoken')}>
        <Text>{label}</Text>
        {optional && <OptionalMark />}
      </legend>
      {hint && <FieldHint id={id}>{hint}</FieldHint>}
      <Text>{children}</Text>
      <FieldError id={id}>{error}</FieldError>
    </fieldset>
  )
}
