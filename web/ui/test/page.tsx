import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'

/** Page that a test without a server shows. Each test file calls `afterEach(closePage)`. */
let page: Root | undefined

/** Shows the content on a new page. @returns the element that contains it */
export async function showPage(content: ReactNode): Promise<HTMLElement> {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  await closePage()
  document.body.innerHTML = '<main id="root"></main>'
  const element = document.getElementById('root') as HTMLElement
  const root = createRoot(element)
  page = root
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  await act(async () => root.render(<I18nProvider i18n={i18n}>{content}</I18nProvider>))
  return element
}

export async function closePage(): Promise<void> {
  await act(async () => page?.unmount())
  page = undefined
  document.body.innerHTML = ''
}

/** Enters text as a person does, with the browser's own setter and an input event. */
export const typeInto = (input: HTMLInputElement, text: string): Promise<void> =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
