// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { Attachments } from '../../shared/attachments.ts'
import { useChosenFile } from './chosen-file.ts'
import { FilePicker } from './FilePicker.tsx'
import { closePage, showPage } from './test/page.tsx'

afterEach(closePage)

it('gives the file field the focus if a press finds no file', async () => {
  const Page = (): ReactNode => {
    const { picker, send } = useChosenFile({ maxBytes: 1_000 } as Attachments)
    return (
      <>
        <FilePicker {...picker} label="File" accept=".csv" hint="CSV" />
        <button type="button" onClick={() => void send({} as never)}>
          Import
        </button>
      </>
    )
  }
  const root = await showPage(<Page />)
  const button = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Import')
  button?.focus()
  await act(async () => button?.click())
  expect(root.textContent).toContain('Choose a file first.')
  expect((document.activeElement as HTMLInputElement).type).toBe('file')
})
