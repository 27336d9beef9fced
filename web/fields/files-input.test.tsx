// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { FieldOf } from '../../shared/fields/definition.ts'
import { closePage, showPage } from '../ui/test/page.tsx'
import { FilesInput } from './FilesInput.tsx'
import { NativeChoice, SurroundingsContext, uploadNothing } from './surroundings.tsx'

afterEach(closePage)

const field = { type: 'file', name: 'proof', label: 'Proof', accept: 'documents', maxFiles: 1, maxMegabytes: 1 }

it.each([
  [
    new File(['MZ'], 'proof.exe', { type: 'application/x-msdownload' }),
    '“proof.exe” is not a supported file type. Add a JPEG, PNG or PDF.',
  ],
  [new File([new Uint8Array(1_000_001)], 'proof.pdf', { type: 'application/pdf' }), '“proof.pdf” is larger than 1 MB.'],
])('names the reason why a file field refuses a file: $1', async (file, reason) => {
  const root = await showPage(
    <SurroundingsContext value={{ today: '2026-06-01', upload: uploadNothing, LongChoice: NativeChoice }}>
      <FilesInput field={field as FieldOf<'file'>} value={[]} onChange={() => {}} errorAt={() => undefined} />
    </SurroundingsContext>,
  )
  const input = root.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [file] })
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })))
  expect(root.textContent).toContain(reason)
})
