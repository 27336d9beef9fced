import { Window as PageWindow } from 'happy-dom'
import type { Rules, ZodForm } from '../web/ui/form.ts'

type Values = Record<string, unknown>

/** Validation rules that accept every value, because the tests check only how the form handles values. */
const anything: Rules<Values> = { safeParseAsync: async (values) => ({ success: true, data: values as Values }) }

const names = [
  'window',
  'document',
  'navigator',
  'location',
  'history',
  'sessionStorage',
  'localStorage',
  'HTMLElement',
]

/**
 * Runs `work` with the globals of a browser page. Afterward, the globals are removed for other tests in the same
 * process.
 */
async function onPage<T>(work: (root: Element) => Promise<T>): Promise<T> {
  const window = new PageWindow({ url: 'http://maplegrove.localhost/' })
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const put = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  for (const name of names) put(name, window[name as 'document'])
  put('window', window)
  put('IS_REACT_ACT_ENVIRONMENT', true)
  try {
    const root = window.document.createElement('div')
    window.document.body.append(root)
    return await work(root as unknown as Element)
  } finally {
    await window.happyDOM.close()
    for (const [name, was] of [...before, ['IS_REACT_ACT_ENVIRONMENT', undefined] as const])
      if (was) Object.defineProperty(globalThis, name, was)
      else Reflect.deleteProperty(globalThis, name)
  }
}

/**
 * Types text into an input as a person does. Uses the browser's own setter and event, because React detects no other
 * change.
 */
function typeInto(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, text)
  const { Event: PageEvent } = input.ownerDocument.defaultView as typeof globalThis & Window
  input.dispatchEvent(new PageEvent('input', { bubbles: true }))
}

/**
 * Opens a form with the values `opened` and types `typed`. Then renders the form with `now`, as if live data had
 * arrived. As in most forms, React does not update the text inputs then.
 * @returns the form's values, and the basis that a save would send
 */
export const typeWhileOthersSave = (opened: Values, typed: Values, now: Values) =>
  onPage(async (root) => {
    const [{ act, createElement }, { createRoot }, { useZodForm }] = await Promise.all([
      import('react'),
      import('react-dom/client'),
      import('../web/ui/form.ts'),
    ])
    let form: ZodForm<Values, Values> | undefined
    const isText = (name: string) => typeof opened[name] === 'string'
    const Page = ({ stored }: { stored: Values }) => {
      form = useZodForm<Values, Values>(anything, { defaultValues: stored, basis: stored })
      const { field, choice } = form
      return Object.keys(stored).map((name) => {
        if (!isText(name)) return void choice(name)
        const { error: _, ...bound } = field(name)
        return createElement('input', { key: name, ...bound })
      })
    }
    const page = createRoot(root)
    await act(async () => page.render(createElement(Page, { stored: opened })))
    await act(async () => {
      for (const [name, value] of Object.entries(typed)) {
        const input = [...root.querySelectorAll('input')].find((one) => one.name === name)
        if (input && typeof value === 'string') typeInto(input, value)
        else form?.choice(name).onChange(value as never)
      }
    })
    await act(async () => page.render(createElement(Page, { stored: now })))
    const seen = structuredClone({ values: form?.getValues() ?? {}, basis: form?.basis ?? {} })
    await act(async () => page.unmount())
    return seen
  })
