import { useEffect, useState } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

/**
 * The code of a mailed link. It leaves the address, so that no history keeps it, and stays with this tab as long as its
 * screen does, so that a reload can say what became of the link.
 * @param name of the parameter that holds it
 * @returns the code, or null, and how to forget it
 */
export function useOneTimeCode(name: string): [code: string | null, forget: () => void] {
  const kept = `one-time-code.${name}`
  const given = useQueryParam(name)
  const [code, setCode] = useState(() => given ?? sessionStorage.getItem(kept))
  useEffect(() => {
    if (code === null) return
    sessionStorage.setItem(kept, code)
    setQuery({ [name]: null })
    return () => sessionStorage.removeItem(kept)
  }, [code, kept, name])
  return [code, () => setCode(null)]
}
