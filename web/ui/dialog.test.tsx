// @vitest-environment happy-dom
import { act, type ReactNode, useEffect, useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Dialog, SlideOut } from './Dialog.tsx'
import { closePage, showPage } from './test/page.tsx'
import { TextField } from './TextField.tsx'

afterEach(closePage)

const focused = () => document.activeElement as HTMLElement

/** Test component that shows its content after the event `loaded`. */
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
    await showPage(
      <Panel title="Edit" onClose={() => {}}>
        <TextField label="Name" name="name" />
      </Panel>,
    )
    expect(focused().getAttribute('name')).toBe('name')
    await showPage(
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
    await showPage(
      <Panel title="Edit" onClose={() => {}}>
        <input type="radio" name="by" value="cash" />
        <input type="radio" name="by" value="check" defaultChecked />
      </Panel>,
    )
    expect((focused() as HTMLInputElement).value).toBe('check')
  })

  it('leaves the focus if a button comes first or the person has acted', async () => {
    await showPage(
      <Panel title="Record" onClose={() => {}}>
        <button type="button">Print</button>
        <TextField label="Comment" name="comment" />
      </Panel>,
    )
    expect(focused().getAttribute('name')).toBeNull()
    await showPage(
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
