// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { Select } from './Choice.tsx'
import { Form } from './Form.tsx'
import { useZodForm } from './form.ts'
import { closePage, showPage } from './test/page.tsx'

/** The options of a field may load after the form has the stored value or the draft. */

afterEach(closePage)

const rules = z.object({ crew: z.string() })
const CREWS = ['1', '2', '3'].map((value) => ({ value, label: `Crew ${value}` }))
const sent: string[] = []

function CrewForm() {
  const form = useZodForm(rules, { defaultValues: { crew: '2' } })
  const [options, setOptions] = useState<typeof CREWS | null>(null)
  return (
    <Form form={form} onSubmit={async ({ crew }) => void sent.push(crew)}>
      {options && <Select label="Crew" placeholder="No crew" options={options} {...form.field('crew')} />}
      <button type="button" onClick={() => setOptions(options ? CREWS : [])}>
        Load
      </button>
      <button type="submit">Save</button>
    </Form>
  )
}

const load = (page: HTMLElement) => act(async () => page.querySelector<HTMLElement>('[type=button]')?.click())
const submit = (page: HTMLElement) =>
  act(async () => {
    page.querySelector<HTMLElement>('[type=submit]')?.click()
    await new Promise<void>((done) => requestAnimationFrame(() => done()))
  })

it.each([
  ['stays untouched', false],
  ['is passed with the Tab key', true],
])('keeps the value of a choice that %s before its options load', async (_, passes) => {
  sent.length = 0
  const page = await showPage(<CrewForm />)
  await load(page)
  const select = page.querySelector('select') as HTMLSelectElement
  if (passes)
    await act(async () => {
      select.focus()
      select.blur()
    })
  await load(page)
  expect(select.value).toBe('2')
  await submit(page)
  expect(sent).toEqual(['2'])
})
