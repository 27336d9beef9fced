import { CircleAlert } from 'lucide-react'
import { Plural, Trans } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'
import { say } from '../../shared/words.ts'
import { Text } from './Text.tsx'

/** What every field of a form takes. */
export interface FieldProps {
  label: ReactNode
  /** Stands under the label, before the person types: a format, where to find the number. */
  hint?: ReactNode
  /** A sentence that says what to do, from the rules of the form or from the server. */
  error?: string | undefined
  /** Most fields are required, so the others say that they are not. */
  optional?: boolean
  /** The label is only spoken: for a lone search field whose place says what it is. */
  hideLabel?: boolean
  /** Most characters. The field says while somebody types that the text is longer, and cuts nothing off. */
  limit?: number | undefined
  className?: string
}

/** Ids of a field and the attributes that tie label, hint and error to its control. */
export function useFieldIds({ hint, error }: Pick<FieldProps, 'hint' | 'error'>, given?: string) {
  const own = useId()
  const id = given ?? own
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    control: { id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? (true as const) : undefined },
  }
}

/** Parts what belongs to a field's frame from what belongs to its control, and ties the two together. */
export function useField<Props extends FieldProps & { id?: string | undefined }>(props: Props) {
  const { label, hint, error, optional, hideLabel, limit, className, id, ...own } = props
  const ids = useFieldIds({ hint, error }, id)
  return {
    frame: { id: ids.id, label, hint, error, optional, hideLabel, limit, className },
    control: { ...own, ...ids.control },
  }
}

/** The look of everything that text is typed into or chosen from. */
export const controlClasses = (error?: string) =>
  cx(
    'min-h-(--control) w-full rounded-sm border px-3 py-1.5 text-ink disabled:bg-tint disabled:text-muted [&[readonly]]:bg-tint',
    error ? 'border-danger bg-danger-tint' : 'border-edge bg-surface',
  )

interface FrameProps extends FieldProps {
  id: string
  children: ReactNode
}

/** Label, hint, control and error, one under the other. */
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

/** Several controls under one name: radio cards, a range. */
export function FieldGroup({ id, label, hint, error, optional, hideLabel, className, children }: FrameProps) {
  return (
    <fieldset
      id={id}
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
