import { Trans } from '@lingui/react/macro'
import { type FormHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { cx } from './cx.ts'
import { forgetDraft, showRefusal, type ZodForm } from './form.ts'
import { Notice } from './Notice.tsx'

interface FormProps<Values extends FieldValues, Output> extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'onInvalid'> {
  form: ZodForm<Values, Output>
  /** Called with what the schema made of the values. What it throws is shown in the form. */
  onSubmit: (values: Output) => Promise<void> | void
  /** The browser found something wrong; the sentences stand under their fields already. */
  onInvalid?: (sentences: string[]) => void
  /** The draft outlives the submission: whether it did its work shows later, and the screen drops it then. */
  keepDraft?: boolean
  children: ReactNode
}

/** A form. The first error gets the focus; with several, a summary above names them all. */
export function Form<Values extends FieldValues, Output>({ form, onSubmit, onInvalid, keepDraft, children, className, ...rest }: FormProps<Values, Output>) {
  const element = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<Wrong[]>([])
  const [round, setRound] = useState(0)

  // Runs when the errors of a try have been drawn, so that they can be found.
  useEffect(() => {
    if (round === 0 || !element.current) return
    const found = wrongIn(element.current)
    setWrong(found)
    ;(found[0] ? document.getElementById(found[0].id) : element.current.querySelector<HTMLElement>('[role=alert]'))?.focus()
  }, [round])

  const refused = useRef(false)
  const submit = form.handleSubmit(
    async (values) => {
      setWrong([])
      refused.current = false
      try {
        await onSubmit(values)
        if (!keepDraft) forgetDraft(form)
      } catch (error) {
        refused.current = true
        showRefusal(form, error)
      }
    },
    (errors) => {
      refused.current = true
      onInvalid?.(Object.values(errors).flatMap((error) => (typeof error?.message === 'string' ? [error.message] : [])))
    },
  )

  return (
    <form
      noValidate
      {...rest}
      ref={element}
      className={cx('flex flex-col gap-5', className)}
      onSubmit={(event) => {
        form.clearErrors('root.server' as never)
        // Only when the form has told its errors can they be drawn, found and given the focus.
        void submit(event).then(() => refused.current && setRound((n) => n + 1))
      }}
    >
      {form.refusal && (
        <Notice tone="danger" focusable>
          {form.refusal}
        </Notice>
      )}
      {wrong.length > 1 && !form.refusal && <Summary wrong={wrong} />}
      {children}
    </form>
  )
}

interface Wrong {
  id: string
  text: string
}

/** The fields with errors, in the order they stand on the page. */
function wrongIn(form: HTMLFormElement): Wrong[] {
  const controls = [...form.querySelectorAll<HTMLElement>('[aria-invalid=true]')]
  const found = new Map<string, Wrong>()
  for (const control of controls) {
    const owner = control.id ? control : control.closest('fieldset')
    const text = document.getElementById(`${owner?.id}-error`)?.textContent ?? ''
    control.id ||= `${owner?.id}-first`
    if (text && !found.has(text)) found.set(text, { id: control.id, text })
  }
  return [...found.values()]
}

const Summary = ({ wrong }: { wrong: Wrong[] }) => (
  <Notice tone="danger" title={<Trans>{wrong.length} things need another look</Trans>}>
    <ul className="list-disc ps-5">
      {wrong.map(({ id, text }) => (
        <li key={id}>
          <button type="button" className="link text-start font-normal" onClick={() => document.getElementById(id)?.focus()}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  </Notice>
)
