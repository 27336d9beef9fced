import { type ReactNode, useState } from 'react'
import { FORM_CALL, type SentForm } from '../../shared/boot.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { page } from '../page.ts'
import { cx } from './cx.ts'
import type { FieldBinding } from './form.ts'
import { Notice } from './Notice.tsx'
import { Text } from './Text.tsx'

/** Attributes of a form that works without JavaScript. The page of the response opens at its content. */
export const PLAIN_FORM = { 'data-plain': '', action: '#main' }

/** Hidden entries of a form that works without JavaScript: its call, and the key that makes it send only once. */
export const PlainEntries = ({ call }: { call: Endpoint }) => (
  <>
    <input type="hidden" name={FORM_CALL} value={call.path} />
    {call.idempotent && page().formKey && <input type="hidden" name="idempotencyKey" value={page().formKey} />}
  </>
)

/** Returns the form of a call, if the browser sent it without JavaScript. */
const sentFormOf = (call: Endpoint): SentForm | null => {
  const { sentForm } = page()
  return sentForm?.call === call.path ? sentForm : null
}

const ignore = async () => {}

/** Returns props for the fields of a form that only pages without JavaScript have. */
export const plainField =
  (call: Endpoint) =>
  (name: string, errorName = name): FieldBinding => ({
    name,
    defaultValue: sentFormOf(call)?.values[name] ?? '',
    error: sentFormOf(call)?.refusal?.fields[errorName],
    limit: undefined,
    ref: ignore,
    onChange: ignore,
    onBlur: ignore,
  })

interface PlainFormProps {
  call: Endpoint
  className?: string
  /** Called instead of the post, if the script runs. */
  onSubmit?: () => void
  children: ReactNode
}

/** Form without rules. Its button makes a call, also without JavaScript. */
export function PlainForm({ call, className, onSubmit, children }: PlainFormProps) {
  const [refusal] = useState(() => sentFormOf(call)?.refusal)
  return (
    <form
      method="post"
      {...PLAIN_FORM}
      className={cx('flex flex-col items-start gap-5', className)}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      <PlainEntries call={call} />
      {refusal && Object.keys(refusal.fields).length === 0 && <Notice tone="danger">{refusal.message}</Notice>}
      <Text>{children}</Text>
    </form>
  )
}

interface ScriptedProps {
  /** Replaces the content in a page without JavaScript. Without a replacement, the page shows the help. */
  otherwise?: ReactNode
  className?: string
  children: ReactNode
}

/** Content that needs JavaScript. The server finds it by the attribute, up to the element that replaces it. */
export const Scripted = ({ otherwise, className, children }: ScriptedProps) => (
  <>
    <div data-scripted className={className}>
      {children}
    </div>
    {otherwise && <noscript>{otherwise}</noscript>}
  </>
)
