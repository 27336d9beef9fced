import { Component, Fragment, type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { Failed } from '../ui/States.tsx'
import { Measure } from '../ui/Page.tsx'
import { currentLocation, type RouterLocation, subscribeLocation } from './router.ts'
import { restoreScroll } from './scroll.ts'

export const useRouterLocation = (): RouterLocation =>
  useSyncExternalStore(subscribeLocation, currentLocation, currentLocation)

/** Moves the focus to the heading of the new screen, or to its main part if the heading is still loading. */
function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

let lastFocused: EventTarget | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => (lastFocused = target), { capture: true })

/** True if the focused control disappeared and no other element has received the focus. */
const hasLostFocus = () =>
  document.activeElement === document.body && lastFocused instanceof Element && !lastFocused.isConnected

/** Renders the current screen inside a layout. */
export function Outlet() {
  const { Screen, path, query, how, title } = useRouterLocation()

  // Runs before the screen's own effects, so that a screen can then set its own title.
  useLayoutEffect(() => {
    document.title = title
  }, [path, title])

  // Runs before the paint. The new screen is often shorter, so its footer would flash at the old scroll position.
  useLayoutEffect(() => {
    if (how === 'push' && !location.hash) scrollTo(0, 0)
    // A person may scroll a page before its script starts.
    if (how === 'pop' || (how === 'first' && scrollY === 0)) restoreScroll()
    // Only a path change is a new screen. A query change keeps the scroll position and the focus.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [path])

  useEffect(() => {
    if (how !== 'first') focusHeading()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [path])

  // A changed query may replace the pressed control with new content. The check waits for the next frame, because a
  // closing dialog returns the focus before then.
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

interface ErrorState {
  error: unknown
  /** True if the screen has been remounted once. */
  again: boolean
}

/** True if React cannot find a node because a browser's translator or extension moved it. */
const isMoved = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'

/**
 * Shows an error in place of a broken screen, while the rest of the page stays. If a browser's translator or extension
 * changed the page, remounts the screen once. Forms then restore their drafts.
 */
export class Catch extends Component<{ children: ReactNode }, ErrorState> {
  override state: ErrorState = { error: null, again: false }

  static getDerivedStateFromError(error: unknown): Partial<ErrorState> {
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
