import { useCallback, useEffect, useState } from 'react'
import { setQuery } from './go.ts'
import { entryState } from './router/entry-state.ts'
import { useQueryParam } from './routes.tsx'

interface StoredCode {
  code: string
  entry: string
}

/**
 * Returns the key of the current history entry. A reload keeps the key, but another URL in the same tab has a different
 * key.
 */
const entryNow = () => entryState().key ?? ''

function read(storageKey: string): string | null {
  const text = sessionStorage.getItem(storageKey)
  if (text === null) return null
  const { code, entry } = JSON.parse(text) as StoredCode
  return entry === entryNow() ? code : null
}

/**
 * Returns the code of an emailed link and removes it from the URL, so that no history stores the code. A reload of the
 * same page finds the code until it is used. Another URL in the same tab does not.
 * @param name of the query parameter
 * @returns the code or null, and two functions. One forgets the code. The other marks it as used, and this page then
 *   still shows its outcome
 */
export function useOneTimeCode(name: string): [code: string | null, forget: () => void, use: () => void] {
  const storageKey = `one-time-code.${name}`
  const fromAddress = useQueryParam(name)
  const [code, setCode] = useState(() => fromAddress ?? read(storageKey))
  useEffect(() => {
    if (code === null) return
    sessionStorage.setItem(storageKey, JSON.stringify({ code, entry: entryNow() }))
    setQuery({ [name]: null })
    return () => sessionStorage.removeItem(storageKey)
  }, [code, storageKey, name])
  const use = useCallback(() => sessionStorage.removeItem(storageKey), [storageKey])
  return [code, () => setCode(null), use]
}
