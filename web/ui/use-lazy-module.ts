import { useEffect, useState } from 'react'

/**
 * Loads code when a component first renders. `loaded` is null until the code is loaded. `error` is set if loading
 * failed.
 */
export function useLazyModule<Loaded extends object>(load: () => Promise<Loaded>) {
  const [state, setState] = useState<{ loaded: Loaded | null; error: unknown }>({ loaded: null, error: null })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let on = true
    load().then(
      (loaded) => on && setState({ loaded, error: null }),
      (error: unknown) => on && setState({ loaded: null, error }),
    )
    return () => {
      on = false
    }
    // `load` always returns the same code, so only a retry loads again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [tries])
  return { ...state, retry: () => setTries((n) => n + 1) }
}
