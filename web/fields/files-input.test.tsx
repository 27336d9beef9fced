// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { FilesInput } from './FilesInput.tsx'
import { NativeChoice, SurroundingsContext, uploadNothing } from './surroundings.tsx'

let page: Root | undefined
afterEach(() => act(async () => page?.unmount()))

const field = { type: 'file', name: 'proof', label: 'Proof', accept: 'documents', maxFiles: 1, maxMegabytes: 1 }

it.each([
  [
    new File(['MZ'], 'proof.exe', { type: 'application/x-msdownload' }),
    "“proof.exe” can't be read. Add a JPEG, PNG or PDF.",
  ],
  [new File([new Uint8Array(1_000_001)], 'proof.pdf', { type: 'application/pdf' }), '“proof.pdf” is larger than 1 MB.'],
])('names the reason why a file field refuses a file: $1', async (file, reason) => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  document.body.innerHTML = '<div id="root"></div>'
  const root = document.getElementById('root') as HTMLElement
  const drawn = createRoot(root)
  page = drawn
  await act(async () =>
    drawn.render(
      <I18nProvider i18n={setupI18n({ locale: 'en', messages: { en: {} } })}>
        <SurroundingsContext value={{ today: '2026-06-01', upload: uploadNothing, LongChoice: NativeChoice }}>
          <FilesInput field={field as FieldOf<'file'>} value={[]} onChange={() => {}} errorAt={() => undefined} />
        </SurroundingsContext>
      </I18nProvider>,
    ),
  )
  const input = root.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [file] })
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })))
  expect(root.textContent).toContain(reason)
})
