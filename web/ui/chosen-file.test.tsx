// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import type { Attachments } from '../../shared/attachments.ts'
import { useChosenFile } from './chosen-file.ts'
import { FilePicker } from './FilePicker.tsx'

let page: Root | undefined
afterEach(() => act(async () => page?.unmount()))

it('gives the file field the focus if a press finds no file', async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  document.body.innerHTML = '<div id="root"></div>'
  const root = document.getElementById('root') as HTMLElement
  const Page = (): ReactNode => {
    const { picker, send } = useChosenFile({ mostBytes: 1_000 } as Attachments)
    return (
      <>
        <FilePicker {...picker} label="File" accept=".csv" hint="CSV" />
        <button type="button" onClick={() => void send({} as never)}>
          Import
        </button>
      </>
    )
  }
  const drawn = createRoot(root)
  page = drawn
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  await act(async () =>
    drawn.render(
      <I18nProvider i18n={i18n}>
        <Page />
      </I18nProvider>,
    ),
  )
  const button = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Import')
  button?.focus()
  await act(async () => button?.click())
  expect(root.textContent).toContain('Choose a file first.')
  expect((document.activeElement as HTMLInputElement).type).toBe('file')
})
