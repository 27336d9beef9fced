import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'
import { toast } from './ui/Toasts.tsx'

type Panel = ComponentType<{ onClose: () => void }>
/** `() => import('./SomeDialog.tsx')` */
export type LatePanel = () => Promise<{ default: Panel }>

/**
 * A dialog whose code is loaded when somebody opens it. `failed` is said where it can't be loaded. `param`: it stands in
 * the address under this name, so that it is open again after a reload, or after signing in anew.
 */
export function useLatePanel(load: LatePanel, failed: string, param = ''): { open: () => void; panel: ReactNode } {
  const [Loaded, setLoaded] = useState<Panel | null>(null)
  const asked = useQueryParam(param) !== null && param !== ''
  const show = () =>
    void load().then(
      ({ default: loaded }) => setLoaded(() => loaded),
      () => toast(failed, 'danger'),
    )
  const showAsked = useEffectEvent(show)
  useEffect(() => {
    if (asked) showAsked()
    else setLoaded(null)
  }, [asked])
  const close = () => (param ? setQuery({ [param]: null }) : setLoaded(null))
  return {
    open: param ? () => setQuery({ [param]: '1' }) : show,
    panel: Loaded && <Loaded onClose={close} />,
  }
}

/** `() => import('./SomePart.tsx')` */
export type LatePart = () => Promise<{ default: ComponentType }>

interface LateProps {
  load: LatePart
  /** It keeps the part's place while that comes. */
  className: string | undefined
  /** The part is there, or it could not be loaded. */
  onSettled?: () => void
}

/** A part that few need: it is left out where it can't be loaded. */
export function Late({ load, className, onSettled }: LateProps) {
  const [Part, setPart] = useState<ComponentType | null>(null)
  const settled = useEffectEvent(() => onSettled?.())
  useEffect(() => {
    load()
      .then(
        ({ default: Loaded }) => setPart(() => Loaded),
        () => {},
      )
      .finally(settled)
  }, [load])
  return <div className={className}>{Part && <Part />}</div>
}
