import { Plural, Trans } from '@lingui/react/macro'
import { type FormHTMLAttributes, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { cx } from './cx.ts'
import { changedMeanwhile, showRefusal, type ZodForm } from './form.ts'
import { LateSave } from './LateSave.tsx'
import { Notice } from './Notice.tsx'
import type { Clash } from './Collisions.tsx'
import { Text } from './Text.tsx'

/** Seldom needed, so loaded when it is. */
const Collisions = lazy(() => import('./Collisions.tsx'))

interface FormProps<Values extends FieldValues, Output> extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'onSubmit' | 'onInvalid'
> {
  form: ZodForm<Values, Output>
  /** Called with what the schema made of the values. What it throws is shown in the form. */
  onSubmit: (values: Output) => Promise<void> | void
  /** The browser found something wrong; the sentences stand under their fields already. */
  onInvalid?: (sentences: string[]) => void
  /** The draft outlives the submission: whether it did its work shows later, and the screen drops it then. */
  keepDraft?: boolean
  /** The screen says by itself that what stands here is not saved yet, or nothing of it is ever saved. */
  draftIsMarked?: boolean
  children: ReactNode
}

/** A form. The first error gets the focus; with several, a summary above names them all. */
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
  const [wrong, setWrong] = useState<Wrong[]>([])
  const [round, setRound] = useState(0)

  // Runs when the errors of a try have been drawn, so that they can be found.
  useEffect(() => {
    if (round === 0 || !element.current) return
    const found = wrongIn(element.current)
    setWrong(found)
    ;(found[0]?.control ?? element.current.querySelector<HTMLElement>('[role=alert]'))?.focus()
  }, [round])

  const refused = useRef(false)
  const [clash, setClash] = useState<Clash | null>(null)
  const [unchosen, setUnchosen] = useState(false)
  const submit = form.handleSubmit(
    async (values) => {
      setWrong([])
      refused.current = false
      if (clash && !clash.isSettled) return setUnchosen(true)
      form.follow(true)
      try {
        await onSubmit(values)
        setClash(null)
        if (!keepDraft) form.saved()
      } catch (error) {
        form.follow(false)
        const changed = changedMeanwhile(error)
        setUnchosen(false)
        setClash(changed && element.current && { ...changed, mine: form.getValues(), isSettled: false })
        if (changed) return
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
      {form.isDraft && !draftIsMarked && (
        <p className="text-muted text-sm">
          <Trans>You typed this before. It is not saved yet.</Trans>
        </p>
      )}
      {form.formState.isSubmitting && <LateSave />}
      {clash && element.current && (
        <Suspense>
          <Collisions
            key={JSON.stringify(clash.now)}
            form={form as never}
            element={element.current}
            clash={clash}
            unchosen={unchosen}
            onSettled={() => setClash({ ...clash, isSettled: true })}
          />
        </Suspense>
      )}
      {wrong.length > 1 && !form.refusal && <Summary wrong={wrong} />}
      <Text>{children}</Text>
    </form>
  )
}

interface Wrong {
  control: HTMLElement
  /** The field's name and what is the matter with it. */
  text: string
}

/** What the field is called on the page, without the mark that it is optional. */
function nameOf(control: HTMLElement): string {
  const labelledBy = control.getAttribute('aria-labelledby')?.split(' ')[0]
  const label = labelledBy
    ? document.getElementById(labelledBy)
    : ((control as HTMLInputElement).labels?.[0] ?? control.closest('fieldset')?.querySelector('legend'))
  return label?.firstChild?.textContent ?? ''
}

/** A sentence that begins with the field's name needs it no second time. */
const named = (name: string, text: string) =>
  !name || text.startsWith(name) ? text : `${name}${name.endsWith('?') ? '' : ':'} ${text}`

/** Parts that are no native control name their error's id in `data-error`; the others are tied to it by their own id. */
function errorOf(control: HTMLElement): string {
  const id = control.dataset.error ?? `${(control.id ? control : control.closest('fieldset'))?.id}-error`
  return document.getElementById(id)?.textContent ?? ''
}

const focusable = (control: HTMLElement) =>
  control.matches('input,select,textarea,button')
    ? control
    : control.querySelector<HTMLElement>('[tabindex="0"],input,button')

/** The fields with errors, in the order they stand on the page. */
function wrongIn(form: HTMLFormElement): Wrong[] {
  const found = new Map<string, Wrong>()
  for (const control of form.querySelectorAll<HTMLElement>('[aria-invalid=true],[data-error]')) {
    const error = errorOf(control)
    const target = focusable(control)
    const text = error && named(nameOf(control), error)
    if (text && target && !found.has(text)) found.set(text, { control: target, text })
  }
  return [...found.values()]
}

const Summary = ({ wrong }: { wrong: Wrong[] }) => (
  <Notice
    tone="danger"
    title={<Plural value={wrong.length} one="# thing needs another look" other="# things need another look" />}
  >
    <ul className="list-disc ps-5">
      {wrong.map(({ control, text }) => (
        <li key={text}>
          <button type="button" className="link text-start align-top font-normal" onClick={() => control.focus()}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  </Notice>
)
