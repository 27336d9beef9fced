import { Plural, Trans } from '@lingui/react/macro'
import {
  type FormHTMLAttributes,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FieldValues } from 'react-hook-form'
import { BeforeSubmit, type Wait } from './before-submit.ts'
import { cx } from './cx.ts'
import { changedMeanwhile, COMPLETE_IT, sentencesIn, showRefusal, type ZodForm } from './form.ts'
import { LateSave } from './LateSave.tsx'
import { Notice } from './Notice.tsx'
import { translated } from '../../shared/words.ts'
import type { Clash } from './Collisions.tsx'
import { Text } from './Text.tsx'

/** Loaded on demand, since it is seldom needed. */
const Collisions = lazy(() => import('./Collisions.tsx'))

interface FormProps<Values extends FieldValues, Output> extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'onSubmit' | 'onInvalid'
> {
  form: ZodForm<Values, Output>
  /** Called with the parsed values. A thrown error is shown in the form. */
  onSubmit: (values: Output) => Promise<void> | void
  /**
   * Called if the rules reject the values. If it returns a promise, the form waits for it before it looks for marked
   * fields.
   */
  onInvalid?: (sentences: string[]) => Promise<void> | void
  /** True to keep the draft after submission. The screen drops it later, once the result is known. */
  keepDraft?: boolean
  /** True if the screen itself shows that the values are unsaved, or if they are never saved. */
  draftIsMarked?: boolean
  children: ReactNode
}

/**
 * A form. The submit button acts, or an error is shown and focused. The error appears at its field, or at the top if
 * the field is not on the page. For several fields, a summary above names them until they are corrected.
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
  const [wrong, setErrors] = useState<FieldError[]>([])
  const [listed, setListed] = useState(false)
  const [stray, setStray] = useState<string[]>([])
  const [round, setRound] = useState(0)
  const sentences = sentencesIn(form.formState.errors)

  const show = useEffectEvent(() => {
    if (!element.current) return
    const found = errorsIn(element.current)
    const left = form.refusal ? [] : strayOf(element.current, sentences)
    setErrors(found)
    setListed(found.length > 1)
    setStray(left)
    if (found[0]) found[0].control.focus()
    // This change also renders the notice, so it can get the focus only in the next frame.
    else requestAnimationFrame(() => (top.current?.firstElementChild as HTMLElement | null)?.focus())
  })
  // Runs after the errors of a submission are rendered, so that the search finds them.
  useEffect(() => {
    if (round > 0) show()
  }, [round])
  const follow = useEffectEvent(() => {
    if (!element.current || (wrong.length === 0 && stray.length === 0)) return
    const now = errorsIn(element.current)
    const left = wrong.flatMap(({ control }) => now.find((one) => one.control === control) ?? [])
    if (left.map(({ text }) => text).join('\n') !== wrong.map(({ text }) => text).join('\n')) setErrors(left)
    const against = new Set(sentences.map(({ message: sentence }) => sentence))
    if (stray.some((one) => !against.has(one))) setStray(stray.filter((one) => against.has(one)))
  })
  // Removes corrected fields from the summary. Some fields rerender without the form, so an observer also watches their
  // marks.
  useEffect(() => follow())
  useEffect(() => {
    if (!element.current || wrong.length === 0) return
    const marks = new MutationObserver(() => follow())
    marks.observe(element.current, { subtree: true, attributeFilter: ['aria-invalid', 'data-error'] })
    return () => marks.disconnect()
  }, [wrong.length])

  const [waiting] = useState(() => new Set<Wait>())
  const finishing = useRef(false)
  const refused = useRef(false)
  const [clash, setClash] = useState<Clash | null>(null)
  const [unchosen, setUnchosen] = useState(false)
  const submit = form.handleSubmit(
    async (values) => {
      setErrors([])
      setStray([])
      refused.current = false
      if (clash && !clash.isSettled) {
        refused.current = true
        return setUnchosen(true)
      }
      form.follow(true)
      try {
        await onSubmit(values)
        setClash(null)
        if (!keepDraft) form.saved()
      } catch (error) {
        form.follow(false)
        const changed = changedMeanwhile(error)
        setUnchosen(false)
        setClash(changed && element.current && { ...changed, own: form.getValues(), isSettled: false })
        if (changed) return
        refused.current = true
        showRefusal(form, error)
      } finally {
        form.settle()
      }
    },
    (errors) => {
      refused.current = true
      return onInvalid?.(sentencesIn(errors).map(({ message: sentence }) => sentence))
    },
  )

  return (
    <form
      noValidate
      {...rest}
      ref={element}
      className={cx('flex flex-col gap-5', className)}
      onSubmit={(event) => {
        event.preventDefault()
        form.clearErrors('root.server' as never)
        // The errors can be found and focused only after the form has reported them.
        const send = () => void submit(event).then(() => refused.current && setRound((n) => n + 1))
        if (waiting.size === 0) return send()
        // A second press while a field finishes its look-up sends nothing more.
        if (finishing.current) return
        finishing.current = true
        void Promise.all([...waiting].map((finish) => finish()))
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
          stray.length > 0 && (
            <Notice tone="danger" focusable>
              {stray.map((message) => (
                <p key={message}>
                  {message === translated(COMPLETE_IT) ? (
                    <Trans>
                      This page cannot send the form: a value that it does not show is missing. Nothing was sent. Reload
                      the page and try again.
                    </Trans>
                  ) : (
                    message
                  )}
                </p>
              ))}
            </Notice>
          )
        )}
      </div>
      {form.restored.length > 0 && !draftIsMarked && <Restored fields={form.restored} />}
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
      {listed && wrong.length > 0 && !form.refusal && <Summary wrong={wrong} />}
      <BeforeSubmit value={waiting}>
        <Text>{children}</Text>
      </BeforeSubmit>
    </form>
  )
}

/** Names the fields that the draft filled. Shows nothing if no such field is visible. */
function Restored({ fields }: { fields: readonly string[] }) {
  const marker = useRef<HTMLParagraphElement>(null)
  const [names, setNames] = useState<string[]>([])
  const key = fields.join()
  // Runs before the first paint, so that the layout does not shift. The form's own ref is not set yet.
  useLayoutEffect(() => {
    const form = marker.current?.closest('form')
    const found = key.split(',').flatMap((field) => {
      const control = form?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)
      const group = control?.matches('[type=radio]') ? control.closest('fieldset') : null
      const name = control && nameOf(group ?? control)
      return name ? [name] : []
    })
    setNames([...new Set(found)])
  }, [key])
  const list = names.join(', ')
  return (
    <p ref={marker} hidden={names.length === 0} className="text-muted text-sm">
      <Trans>
        You typed this before. It is not saved yet. Fields: <strong>{list}</strong>
      </Trans>
    </p>
  )
}

interface FieldError {
  control: HTMLElement
  /** The field's name and its error. */
  text: string
}

/** Returns the field's label without the "optional" mark. */
function nameOf(control: HTMLElement): string {
  const labelledBy = control.getAttribute('aria-labelledby')?.split(' ')[0]
  const label = labelledBy
    ? document.getElementById(labelledBy)
    : ((control as HTMLInputElement).labels?.[0] ?? control.closest('fieldset')?.querySelector('legend'))
  return label?.firstChild?.textContent ?? ''
}

/** Prefixes a sentence with the field's name, unless it already starts with the name. */
const named = (name: string, text: string) =>
  !name || text.startsWith(name) ? text : `${name}${name.endsWith('?') ? '' : ':'} ${text}`

/**
 * Finds a control's error. Custom controls name the error's id in `data-error`. Native controls are linked by their own
 * id.
 */
function errorOf(control: HTMLElement): string {
  const id = control.dataset.error ?? `${(control.id ? control : control.closest('fieldset'))?.id}-error`
  return document.getElementById(id)?.textContent ?? ''
}

const focusable = (control: HTMLElement) =>
  control.matches('input,select,textarea,button')
    ? control
    : control.querySelector<HTMLElement>('[tabindex="0"],input,button,iframe')

/** Lists the sentences that no field on the page shows. */
function strayOf(form: HTMLFormElement, sentences: { message: string }[]): string[] {
  const visible = [...form.querySelectorAll('[id$="-error"]')].map(({ textContent }) => textContent)
  return [...new Set(sentences.map(({ message: sentence }) => sentence))].filter(
    (message) => !visible.some((text) => text.includes(message)),
  )
}

/** Lists the fields with errors in page order. */
function errorsIn(form: HTMLFormElement): FieldError[] {
  const found = new Map<string, FieldError>()
  for (const control of form.querySelectorAll<HTMLElement>('[aria-invalid=true],[data-error]')) {
    const error = errorOf(control)
    const target = focusable(control)
    const text = error && named(nameOf(control), error)
    if (text && target && !found.has(text)) found.set(text, { control: target, text })
  }
  return [...found.values()]
}

const Summary = ({ wrong }: { wrong: FieldError[] }) => (
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
