// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Outlet, useRouterLocation } from './Outlet.tsx'
import { navigate, startRouter } from './router.ts'

/** Test screen with a list. An opened record replaces the list under the same path. */
function Records(): ReactNode {
  const { query } = useRouterLocation()
  return (
    <main>
      <h1>Records</h1>
      <a href="/records?tab=2" id="tab">
        Second tab
      </a>
      {query.includes('record') ? <h2>Record 1</h2> : <button type="button">Open record 1</button>}
    </main>
  )
}

let page: Root
const scrolled = vi.fn()
const painted = () => act(() => new Promise<void>((done) => requestAnimationFrame(() => done())))
const go = async (href: string, how: 'push' | 'replace') => {
  await act(() => navigate(href, how))
  await painted()
}

beforeEach(async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  vi.stubGlobal('scrollTo', scrolled)
  document.body.innerHTML = '<div id="root"></div>'
  history.replaceState(null, '', '/records')
  await startRouter({
    guard: () => Promise.resolve(null),
    load: () => Promise.resolve({ Screen: Records, params: {}, title: 'Records' }),
  })
  page = createRoot(document.getElementById('root') as HTMLElement)
  await act(async () => page.render(<Outlet />))
  scrolled.mockClear()
})
afterEach(async () => {
  await act(async () => page.unmount())
  vi.unstubAllGlobals()
})

describe('a change of the query', () => {
  it('leads to the heading if it replaces the pressed control', async () => {
    document.querySelector('button')?.focus()
    await go('/records?record=1', 'push')
    expect(document.activeElement?.tagName).toBe('H1')
    expect(scrolled).toHaveBeenCalledWith(0, 0)
  })

  it('stays where it is if the pressed control stays', async () => {
    document.querySelector<HTMLElement>('#tab')?.focus()
    await go('/records?tab=2', 'push')
    expect(document.activeElement?.id).toBe('tab')
    expect(scrolled).not.toHaveBeenCalled()
  })

  it('stays where it is if a filter sets it', async () => {
    document.querySelector('button')?.focus()
    await go('/records?record=1', 'replace')
    expect(scrolled).not.toHaveBeenCalled()
  })
})
