import { useEffect, useState } from 'react'

/** What is loaded when a part is first shown: null on its way, or the error. */
export function useLate<Loaded extends object>(load: () => Promise<Loaded>) {
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
    // What is loaded is always the same; another try is another reason to load it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [tries])
  return { ...state, retry: () => setTries((n) => n + 1) }
}
