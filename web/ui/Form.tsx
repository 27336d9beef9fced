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

/** Seldom needed, so loaded when it is. */
const Collisions = lazy(() => import('./Collisions.tsx'))

interface FormProps<Values extends FieldValues, Output> extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'onSubmit' | 'onInvalid'
> {
  form: ZodForm<Values, Output>
  /** Called with what the schema made of the values. What it throws is shown in the form. */
  onSubmit: (values: Output) => Promise<void> | void
  /** The rules refuse the values. If it returns a promise, the form waits for it before it looks for marked fields. */
  onInvalid?: (sentences: string[]) => Promise<void> | void
  /** The draft outlives the submission: whether it did its work shows later, and the screen drops it then. */
  keepDraft?: boolean
  /** The screen says by itself that what stands here is not saved yet, or nothing of it is ever saved. */
  draftIsMarked?: boolean
  children: ReactNode
}

/**
 * A form. A press on its button acts, or an error is shown and gets the focus. An error stands at its field; where none is
 * on the page, at the top. With several fields, a summary above names them until they are corrected.
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
  const [wrong, setWrong] = useState<Wrong[]>([])
  const [listed, setListed] = useState(false)
  const [stray, setStray] = useState<string[]>([])
  const [round, setRound] = useState(0)
  const sentences = sentencesIn(form.formState.errors)

  const show = useEffectEvent(() => {
    if (!element.current) return
    const found = wrongIn(element.current)
    const left = form.refusal ? [] : strayOf(element.current, sentences)
    setWrong(found)
    setListed(found.length > 1)
    setStray(left)
    if (found[0]) found[0].control.focus()
    // Drawn with this change, so it can get the focus only afterwards.
    else requestAnimationFrame(() => (top.current?.firstElementChild as HTMLElement | null)?.focus())
  })
  // Runs when the errors of a try have been drawn, so that they can be found.
  useEffect(() => {
    if (round > 0) show()
  }, [round])
  const follow = useEffectEvent(() => {
    if (!element.current || (wrong.length === 0 && stray.length === 0)) return
    const now = wrongIn(element.current)
    const left = wrong.flatMap(({ control }) => now.find((one) => one.control === control) ?? [])
    if (left.map(({ text }) => text).join('\n') !== wrong.map(({ text }) => text).join('\n')) setWrong(left)
    const against = new Set(sentences.map(({ sentence }) => sentence))
    if (stray.some((one) => !against.has(one))) setStray(stray.filter((one) => against.has(one)))
  })
  // What is corrected leaves the summary. Fields that draw themselves change their marks alone.
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
      setWrong([])
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
        setClash(changed && element.current && { ...changed, mine: form.getValues(), isSettled: false })
        if (changed) return
        refused.current = true
        showRefusal(form, error)
      } finally {
        form.settle()
      }
    },
    (errors) => {
      refused.current = true
      return onInvalid?.(sentencesIn(errors).map(({ sentence }) => sentence))
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
        // Only when the form has told its errors can they be drawn, found and given the focus.
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
              {stray.map((sentence) => (
                <p key={sentence}>
                  {sentence === translated(COMPLETE_IT) ? (
                    <Trans>
                      This page cannot send the form: a value that it does not show is missing. Nothing was sent. Reload
                      the page and try again.
                    </Trans>
                  ) : (
                    sentence
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

/** Names the fields that a draft filled. Without a visible field it shows nothing. */
function Restored({ fields }: { fields: readonly string[] }) {
  const place = useRef<HTMLParagraphElement>(null)
  const [names, setNames] = useState<string[]>([])
  const key = fields.join()
  // Before the first paint, so that nothing moves. The form's own ref is not set by then.
  useLayoutEffect(() => {
    const form = place.current?.closest('form')
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
    <p ref={place} hidden={names.length === 0} className="text-muted text-sm">
      <Trans>
        You typed this before. It is not saved yet. Fields: <strong>{list}</strong>
      </Trans>
    </p>
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
    : control.querySelector<HTMLElement>('[tabindex="0"],input,button,iframe')

/** Sentences that no field on the page shows. */
function strayOf(form: HTMLFormElement, sentences: { sentence: string }[]): string[] {
  const shown = [...form.querySelectorAll('[id$="-error"]')].map(({ textContent }) => textContent)
  return [...new Set(sentences.map(({ sentence }) => sentence))].filter(
    (sentence) => !shown.some((text) => text.includes(sentence)),
  )
}

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
