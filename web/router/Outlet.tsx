import { Component, type ReactNode, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
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

/** Where a layout shows the screen. */
export function Outlet() {
  const { Screen, path, how, title } = usePlace()

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

  return (
    <Catch key={path}>
      <Screen />
    </Catch>
  )
}

/** A screen that breaks leaves the rest standing. */
class Catch extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <Measure className="py-10">
        <Failed error={this.state.error} onRetry={() => location.reload()} />
      </Measure>
    )
  }
}
