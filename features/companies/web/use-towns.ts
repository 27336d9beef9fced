import { useEffect, useRef, useState } from 'react'
import type { BootDirectoryEntry } from '../../../shared/boot.ts'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { companyDirectory } from '../contract.ts'

/** As many as the server writes into the page, and answers at a time. When there are fewer, that is all of them. */
const PAGE = 60

interface CompanyPage {
  search: string
  towns: readonly BootDirectoryEntry[]
  /** The cursor of what follows; `'unknown'` where the page's own list may go on. */
  next: string | null
}

const atFirst: CompanyPage = {
  search: '',
  towns: boot.directory,
  next: boot.directory.length >= PAGE ? 'unknown' : null,
}

/** The directory's towns: those that came with the page, then what is searched for, a page at a time. */
export function useTowns() {
  const [listed, setListed] = useState(atFirst)
  const [loading, setLoading] = useState<'search' | 'more' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function load(
    kind: 'search' | 'more',
    search: string,
    cursor: string | null,
    before: readonly BootDirectoryEntry[],
  ) {
    running.current?.abort()
    const now = (running.current = new AbortController())
    setLoading(kind)
    setError(null)
    try {
      const answer = await call(companyDirectory, { search, ...(cursor && { cursor }) }, { signal: now.signal })
      setListed({ search, towns: [...before, ...answer.towns], next: answer.next })
    } catch (failure) {
      if (now.signal.aborted) return
      setError(failure)
    }
    setLoading(null)
  }

  return {
    ...listed,
    more: listed.next !== null,
    loading,
    error,
    find: (text: string) => void load('search', text.trim(), null, []),
    loadMore: () =>
      void (listed.next === 'unknown'
        ? load('more', '', null, [])
        : load('more', listed.search, listed.next, listed.towns)),
  }
}
