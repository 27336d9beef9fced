import { Plural, Trans } from '@lingui/react/macro'
import { type FormHTMLAttributes, lazy, type ReactNode, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { BeforeSubmit, type Wait } from './before-submit.ts'
import { cx } from './cx.ts'
import { COMPLETE_IT, type ZodForm } from './form.ts'
import { LateSave } from './LateSave.tsx'
import { Notice } from './Notice.tsx'
import { PLAIN_FORM, PlainEntries } from './PlainForm.tsx'
import { translated } from '../../shared/messages.ts'
import { Text } from './Text.tsx'
import { useFormErrors, nameOf, type ControlError } from './form-errors.ts'
import { useSubmission } from './use-submission.ts'

/** Loaded on demand, because conflicts are rare. */
const FieldConflicts = lazy(() => import('./FieldConflicts.tsx'))

interface FormProps<Values extends FieldValues, Output> extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'onSubmit' | 'onInvalid'
> {
  form: ZodForm<Values, Output>
  /** Called with the parsed values. A thrown error is shown in the form. */
  onSubmit: (values: Output) => Promise<void> | void
  /**
   * Called if the rules reject the values. If it returns a promise, the form waits for the promise, and then searches
   * the page for fields with errors.
   */
  onInvalid?: (sentences: string[]) => Promise<void> | void
  /** True to keep the draft after submission. The screen deletes the draft later, when the result is known. */
  keepDraft?: boolean
  /** True if the screen itself shows that the values are unsaved, or if the values are never saved. */
  draftIsMarked?: boolean
  children: ReactNode
}

/**
 * Form that shows and focuses an error if the values cannot be sent. The error appears at its field, or at the top if
 * the field is not on the page. If several fields have errors, a summary above lists them until they are corrected.
 */
export function Form<Values extends FieldValues, Output>({
  form,
  onSubmit,
  onInvalid,
  keepDraft,
  draftIsMarked,
  children,
  className,
  ...rest
}: FormProps<Values, Output>) {
  const element = useRef<HTMLFormElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const formErrors = useFormErrors(form, element, top)
  const { conflict, unchosen, resolveConflict, submit } = useSubmission({
    form,
    onSubmit,
    onInvalid,
    keepDraft,
    element,
    formErrors,
  })
  const [pendingLookups] = useState(() => new Set<Wait>())
  const finishing = useRef(false)
  return (
    <form
      // Without the script, a form with GET would put its entries into the URL.
      method="post"
      noValidate
      {...(form.plain && PLAIN_FORM)}
      {...rest}
      ref={element}
      className={cx('flex flex-col gap-5', className)}
      onSubmit={(event) => {
        event.preventDefault()
        form.clearErrors('root.server' as never)
        const send = () => void submit(event)
        if (pendingLookups.size === 0) return send()
        // Ignores a second press while a field finishes its look-up.
        if (finishing.current) return
        finishing.current = true
        void Promise.all([...pendingLookups].map((finish) => finish()))
          .finally(() => (finishing.current = false))
          .then(send)
      }}
    >
      <div ref={top} data-top className="contents">
        {form.refusal ? (
          <Notice tone="danger" focusable>
            {form.refusal}
          </Notice>
        ) : (
          formErrors.stray.length > 0 && <StrayErrors sentences={formErrors.stray} />
        )}
      </div>
      {form.plain && <PlainEntries call={form.plain} />}
      {form.restored.length > 0 && !draftIsMarked && <Restored fields={form.restored} />}
      {form.formState.isSubmitting && <LateSave />}
      {conflict && element.current && (
        <Suspense>
          <FieldConflicts
            key={JSON.stringify(conflict.now)}
            form={form as never}
            element={element.current}
            conflict={conflict}
            unchosen={unchosen}
            onResolved={resolveConflict}
          />
        </Suspense>
      )}
      {formErrors.isListed && formErrors.errors.length > 0 && !form.refusal && <Summary errors={formErrors.errors} />}
      <BeforeSubmit value={pendingLookups}>
        <Text>{children}</Text>
      </BeforeSubmit>
    </form>
  )
}

/** Errors that belong to no field on the page. */
const StrayErrors = ({ sentences }: { sentences: readonly string[] }) => (
  <Notice tone="danger" focusable>
    {sentences.map((message) => (
      <p key={message}>
        {message === translated(COMPLETE_IT) ? (
          <Trans>
            Something on this page did not work, so the form was not submitted. Reload the page and try again.
          </Trans>
        ) : (
          message
        )}
      </p>
    ))}
  </Notice>
)

/** Names the fields that the draft filled. Shows nothing if no such field is visible. */
function Restored({ fields }: { fields: readonly string[] }) {
  const marker = useRef<HTMLParagraphElement>(null)
  const [names, setNames] = useState<string[]>([])
  const key = fields.join()
  // Runs before the first paint, so that the layout does not shift. At that time, the form's own ref is not set yet.
  useLayoutEffect(() => {
    const form = marker.current?.closest('form')
    const controlNames = key.split(',').flatMap((field) => {
      const control = form?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)
      const group = control?.matches('[type=radio]') ? control.closest('fieldset') : null
      const name = control && nameOf(group ?? control)
      return name ? [name] : []
    })
    setNames([...new Set(controlNames)])
  }, [key])
  const list = names.join(', ')
  return (
    <p ref={marker} hidden={names.length === 0} className="text-muted text-sm">
      <Trans>
        You entered values in these fields earlier, but they have not been saved yet: <strong>{list}</strong>
      </Trans>
    </p>
  )
}

const Summary = ({ errors }: { errors: ControlError[] }) => (
  <Notice
    tone="danger"
    title={<Plural value={errors.length} one="# entry needs correction" other="# entries need correction" />}
  >
    <ul className="list-disc ps-5">
      {errors.map(({ control, text }) => (
        <li key={text}>
          <button type="button" className="link text-start align-top font-normal" onClick={() => control.focus()}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  </Notice>
)
