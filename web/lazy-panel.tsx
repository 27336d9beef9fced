import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'
import { toast } from './ui/Toasts.tsx'

type Panel = ComponentType<{ onClose: () => void }>
/** Function that imports a dialog: `() => import('./SomeDialog.tsx')`. */
export type LazyPanel = () => Promise<{ default: Panel }>

/**
 * Loads the code of a dialog when the dialog first opens. `failed` is the message that is shown if loading fails.
 * `param` names a query parameter that reopens the dialog after a reload or a new sign-in.
 */
export function useLazyPanel(load: LazyPanel, failed: string, param = ''): { open: () => void; panel: ReactNode } {
  const [Loaded, setLoaded] = useState<Panel | null>(null)
  const isRequested = useQueryParam(param) !== null && param !== ''
  const show = () =>
    void load().then(
      ({ default: loaded }) => setLoaded(() => loaded),
      () => toast(failed, 'danger'),
    )
  const showRequested = useEffectEvent(show)
  useEffect(() => {
    if (isRequested) showRequested()
    else setLoaded(null)
  }, [isRequested])
  const close = () => (param ? setQuery({ [param]: null }) : setLoaded(null))
  return {
    open: param ? () => setQuery({ [param]: '1' }) : show,
    panel: Loaded && <Loaded onClose={close} />,
  }
}

/** Function that imports a part of a page: `() => import('./SomePart.tsx')`. */
export type LazyPart = () => Promise<{ default: ComponentType }>

interface LazyContentProps {
  load: LazyPart
  /** CSS class of the placeholder that reserves the space while the part loads. */
  className: string | undefined
  /** Called when the part has loaded or failed to load. */
  onSettled?: () => void
}

/** Part of a page that few people need, loaded on demand. If loading fails, the part is not shown. */
export function LazyContent({ load, className, onSettled }: LazyContentProps) {
  const [Part, setPart] = useState<ComponentType | null>(null)
  const handleSettled = useEffectEvent(() => onSettled?.())
  useEffect(() => {
    load()
      .then(
        ({ default: Loaded }) => setPart(() => Loaded),
        () => {},
      )
      .finally(handleSettled)
  }, [load])
  return <div className={className}>{Part && <Part />}</div>
}
