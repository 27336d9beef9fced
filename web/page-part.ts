import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * Part of a page that another feature provides, because the page's own feature does not know it. That feature sets the
 * part in its `citizen.ts` or `municipality.ts`. The part loads with the first page that shows it.
 */
interface PagePart<Props extends object> {
  /** Shown within `<Suspense>`. */
  Part: LazyExoticComponent<ComponentType<Props>>
  fill: (load: Loader<Props>) => void
  /** Loads the part together with the screen that waits for it. */
  preload: () => void
}
type Loader<Props extends object> = () => Promise<{ default: ComponentType<Props> }>

export function definePart<Props extends object>(name: string): PagePart<Props> {
  let load: Loader<Props> = () => Promise.reject(new Error(`no feature shows the ${name}`))
  return {
    Part: lazy(() => load()),
    fill(loader) {
      load = loader
    },
    preload: () => void load().catch(() => {}),
  }
}
