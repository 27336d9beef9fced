import type { FieldValues } from 'react-hook-form'
import { type RefObject, useState, useEffectEvent, useEffect } from 'react'
import { type ZodForm, sentencesIn } from './form.ts'

export type FormErrors = ReturnType<typeof useFormErrors>

/**
 * Finds the errors of a submission on the page and focuses the first one. Errors without a field on the page are shown
 * at the top of the form (`top`).
 */
export function useFormErrors<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  element: RefObject<HTMLFormElement | null>,
  top: RefObject<HTMLElement | null>,
) {
  const [errors, setErrors] = useState<ControlError[]>([])
  const [isListed, setListed] = useState(false)
  const [stray, setStray] = useState<string[]>([])
  const [round, setRound] = useState(0)
  const sentences = sentencesIn(form.formState.errors)

  const show = useEffectEvent(() => {
    if (!element.current) return
    const controlErrors = errorsIn(element.current)
    const left = form.refusal ? [] : strayOf(element.current, sentences)
    setErrors(controlErrors)
    setListed(controlErrors.length > 1)
    setStray(left)
    if (controlErrors[0]) controlErrors[0].control.focus()
    // The notice appears only with the render that this state change causes. So it can get the focus only in the next
    // frame.
    else requestAnimationFrame(() => (top.current?.firstElementChild as HTMLElement | null)?.focus())
  })
  // Runs after the errors of a submission are rendered, so that the search finds them.
  useEffect(() => {
    if (round > 0) show()
  }, [round])
  const follow = useEffectEvent(() => {
    if (!element.current || (errors.length === 0 && stray.length === 0)) return
    const now = errorsIn(element.current)
    const left = errors.flatMap(({ control }) => now.find((one) => one.control === control) ?? [])
    if (left.map(({ text }) => text).join('\n') !== errors.map(({ text }) => text).join('\n')) setErrors(left)
    const against = new Set(sentences.map(({ message }) => message))
    if (stray.some((one) => !against.has(one))) setStray(stray.filter((one) => against.has(one)))
  })
  // Removes corrected fields from the summary. Some fields rerender without the form, so an observer also watches the
  // attributes that mark errors.
  useEffect(() => follow())
  useEffect(() => {
    if (!element.current || errors.length === 0) return
    const marks = new MutationObserver(() => follow())
    marks.observe(element.current, { subtree: true, attributeFilter: ['aria-invalid', 'data-error'] })
    return () => marks.disconnect()
  }, [element, errors.length])

  return {
    errors,
    /** True if a summary above the fields lists the errors. */
    isListed,
    stray,
    clear: () => {
      setErrors([])
      setStray([])
    },
    /** Shows the errors after the next render. */
    showNext: () => setRound((n) => n + 1),
  }
}

export interface ControlError {
  control: HTMLElement
  /** Name of the field, followed by its error. */
  text: string
}

/** Returns the field's label without the "optional" mark. */
export function nameOf(control: HTMLElement): string {
  const labelledBy = control.getAttribute('aria-labelledby')?.split(' ')[0]
  const label = labelledBy
    ? document.getElementById(labelledBy)
    : ((control as HTMLInputElement).labels?.[0] ?? control.closest('fieldset')?.querySelector('legend'))
  return label?.firstChild?.textContent ?? ''
}

/** Adds the field's name before an error message, unless the message already starts with the name. */
const named = (name: string, text: string) =>
  !name || text.startsWith(name) ? text : `${name}${name.endsWith('?') ? '' : ':'} ${text}`

/**
 * Returns the text of a control's error. Custom controls have the error's id in `data-error`. For native controls, the
 * error's id starts with the control's id.
 */
function errorOf(control: HTMLElement): string {
  const id = control.dataset.error ?? `${(control.id ? control : control.closest('fieldset'))?.id}-error`
  return document.getElementById(id)?.textContent ?? ''
}

const focusable = (control: HTMLElement) =>
  control.matches('input,select,textarea,button')
    ? control
    : control.querySelector<HTMLElement>('[tabindex="0"],input,button,iframe')

/** Lists the form errors that no field on the page shows. */
function strayOf(form: HTMLFormElement, sentences: { message: string }[]): string[] {
  const visible = [...form.querySelectorAll('[id$="-error"]')].map(({ textContent }) => textContent)
  return [...new Set(sentences.map(({ message }) => message))].filter(
    (message) => !visible.some((text) => text.includes(message)),
  )
}

/** Lists the fields with errors in page order. */
function errorsIn(form: HTMLFormElement): ControlError[] {
  const controlErrors = new Map<string, ControlError>()
  for (const control of form.querySelectorAll<HTMLElement>('[aria-invalid=true],[data-error]')) {
    const error = errorOf(control)
    const target = focusable(control)
    const text = error && named(nameOf(control), error)
    if (text && target && !controlErrors.has(text)) controlErrors.set(text, { control: target, text })
  }
  return [...controlErrors.values()]
}
