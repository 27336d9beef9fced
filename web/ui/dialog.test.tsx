// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, type ReactNode, useEffect, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Dialog, SlideOut } from './Dialog.tsx'
import { TextField } from './TextField.tsx'

let page: Root | undefined
beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  document.body.innerHTML = '<div id="root"></div>'
})
afterEach(() => act(async () => page?.unmount()))

async function show(content: ReactNode): Promise<void> {
  const drawn = createRoot(document.getElementById('root') as HTMLElement)
  page = drawn
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
  await act(async () => drawn.render(<I18nProvider i18n={i18n}>{content}</I18nProvider>))
}
const focused = () => document.activeElement as HTMLElement

/** Shows its content after the event `loaded`. */
function Late({ children }: { children: ReactNode }) {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    const show = () => setHere(true)
    addEventListener('loaded', show)
    return () => removeEventListener('loaded', show)
  }, [])
  return isHere ? children : <p role="status">Loading</p>
}
const loaded = () =>
  act(async () => {
    dispatchEvent(new Event('loaded'))
    await new Promise((done) => requestAnimationFrame(done))
  })

describe.each([
  ['dialog', Dialog],
  ['slide-out', SlideOut],
])('a %s', (_name, Panel) => {
  it('focuses the first field, also if it loads late', async () => {
    await show(
      <Panel title="Edit" onClose={() => {}}>
        <TextField label="Name" name="name" />
      </Panel>,
    )
    expect(focused().getAttribute('name')).toBe('name')
    await act(async () => page?.unmount())
    await show(
      <Panel title="Edit" onClose={() => {}}>
        <Late>
          <TextField label="Name" name="late" />
        </Late>
      </Panel>,
    )
    await loaded()
    expect(focused().getAttribute('name')).toBe('late')
  })

  it('focuses the chosen option of a choice', async () => {
    await show(
      <Panel title="Edit" onClose={() => {}}>
        <input type="radio" name="by" value="cash" />
        <input type="radio" name="by" value="check" defaultChecked />
      </Panel>,
    )
    expect((focused() as HTMLInputElement).value).toBe('check')
  })

  it('leaves the focus if a button comes first or the person has acted', async () => {
    await show(
      <Panel title="Record" onClose={() => {}}>
        <button type="button">Print</button>
        <TextField label="Comment" name="comment" />
      </Panel>,
    )
    expect(focused().getAttribute('name')).toBeNull()
    await act(async () => page?.unmount())
    await show(
      <Panel title="Record" onClose={() => {}}>
        <Late>
          <TextField label="Comment" name="comment" />
        </Late>
      </Panel>,
    )
    document.querySelector('dialog')?.dispatchEvent(new Event('keydown'))
    await loaded()
    expect(focused().getAttribute('name')).toBeNull()
  })
})
