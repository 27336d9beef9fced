import { useEffect, useRef, useState } from 'react'
import type { BootDirectoryEntry } from '../../../shared/boot.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { companyDirectory } from '../contract.ts'

/** Maximum number of companies in the page and in each response. A shorter list is complete. */
const PAGE = 60

interface CompanyPage {
  search: string
  companies: readonly BootDirectoryEntry[]
  /**
   * Cursor of the next page. `'unknown'` if the list embedded in the page is full, so that more companies may exist.
   * Null if the list is complete.
   */
  next: string | null
}

/** Returns the companies that are embedded in the page. */
function embedded(): CompanyPage {
  const { directory } = page()
  return { search: '', companies: directory, next: directory.length >= PAGE ? 'unknown' : null }
}

/**
 * Returns the companies of the directory: first those embedded in the page, then search results, one page at a time.
 */
export function useDirectory() {
  const [listed, setListed] = useState(embedded)
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
      const reply = await call(companyDirectory, { search, ...(cursor && { cursor }) }, { signal: now.signal })
      setListed({ search, companies: [...before, ...reply.companies], next: reply.next })
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
        : load('more', listed.search, listed.next, listed.companies)),
  }
}
