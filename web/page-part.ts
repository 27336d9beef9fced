import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * Part of a page that another feature provides, because the page's feature must not depend on that feature. The other
 * feature sets the part in its `citizen.ts` or `municipality.ts`. The part loads with the first page that shows it.
 */
interface PagePart<Props extends object> {
  /** Component of the part. Render it within `<Suspense>`. */
  Part: LazyExoticComponent<ComponentType<Props>>
  fill: (load: Loader<Props>) => void
  /** Starts loading the part, so that the part loads together with its screen. */
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
