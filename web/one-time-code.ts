import { useCallback, useEffect, useState } from 'react'
import { setQuery } from './go.ts'
import { useQueryParam } from './routes.tsx'

interface StoredCode {
  code: string
  entry: string
}

/** The entry of the browser's history, which a reload keeps and another address in the same tab does not. */
const entryNow = () => (history.state as { key?: string } | null)?.key ?? ''

function read(kept: string): string | null {
  const text = sessionStorage.getItem(kept)
  if (text === null) return null
  const { code, entry } = JSON.parse(text) as StoredCode
  return entry === entryNow() ? code : null
}

/**
 * The code of a mailed link. It leaves the address, so that no history keeps it. A reload of the same page finds it again
 * until it is used. Another address in the same tab does not.
 * @param name of the parameter that holds it
 * @returns the code or null, how to forget it, and how to mark it as used: this page then still shows its outcome
 */
export function useOneTimeCode(name: string): [code: string | null, forget: () => void, use: () => void] {
  const kept = `one-time-code.${name}`
  const given = useQueryParam(name)
  const [code, setCode] = useState(() => given ?? read(kept))
  useEffect(() => {
    if (code === null) return
    sessionStorage.setItem(kept, JSON.stringify({ code, entry: entryNow() }))
    setQuery({ [name]: null })
    return () => sessionStorage.removeItem(kept)
  }, [code, kept, name])
  const use = useCallback(() => sessionStorage.removeItem(kept), [kept])
  return [code, () => setCode(null), use]
}
