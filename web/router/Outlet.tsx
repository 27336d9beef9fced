import { Component, Fragment, type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { Failed } from '../ui/States.tsx'
import { Measure } from '../ui/Page.tsx'
import { currentPlace, type Place, subscribePlace } from './router.ts'
import { restoreScroll } from './scroll.ts'

export const usePlace = (): Place => useSyncExternalStore(subscribePlace, currentPlace, currentPlace)

/** Gives the focus to the heading of the screen that came up, or to its main part while that still loads. */
function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

let lastFocused: EventTarget | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => (lastFocused = target), { capture: true })

/** True if the control that had the focus went away, and nothing took the focus. */
const hasLostFocus = () =>
  document.activeElement === document.body && lastFocused instanceof Element && !lastFocused.isConnected

/** Where a layout shows the screen. */
export function Outlet() {
  const { Screen, path, query, how, title } = usePlace()

  // Before the screen's own effects, so that a screen can name itself.
  useLayoutEffect(() => {
    document.title = title
  }, [path, title])

  useEffect(() => {
    if (how === 'push' && !location.hash) scrollTo(0, 0)
    if (how === 'pop' || how === 'first') restoreScroll()
    if (how !== 'first') focusHeading()
    // Only a change of the path is a new screen; a change of the query stays where it is.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [path])

  // A query may bring new content in place of the pressed control. A closed dialog gives the focus back first.
  useEffect(() => {
    if (how !== 'push') return
    const frame = requestAnimationFrame(() => {
      if (!hasLostFocus()) return
      scrollTo(0, 0)
      focusHeading()
    })
    return () => cancelAnimationFrame(frame)
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [query])

  return (
    <Catch key={path}>
      <Screen />
    </Catch>
  )
}

interface Caught {
  error: unknown
  /** True after the one remount. */
  again: boolean
}

/** True if React no longer finds a node where it put it: a translator or an extension of the browser moved it. */
const isMoved = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'

/**
 * Shows an error instead of a screen that breaks; the rest of the page stays. Mounts the screen again, once, if something
 * outside React changed the page. Forms then read their drafts.
 */
export class Catch extends Component<{ children: ReactNode }, Caught> {
  override state: Caught = { error: null, again: false }

  static getDerivedStateFromError(error: unknown): Partial<Caught> {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    if (isMoved(error) && !this.state.again) this.setState({ error: null, again: true })
  }

  override render() {
    const { error, again } = this.state
    if (error === null) return <Fragment key={again ? 'again' : 'first'}>{this.props.children}</Fragment>
    if (isMoved(error) && !again) return null
    return (
      <Measure className="py-10">
        <Failed error={error} onRetry={() => location.reload()} />
      </Measure>
    )
  }
}
