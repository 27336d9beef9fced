import { useEffect, useState } from 'react'
import { page } from '../../../web/page.ts'

/** Company data on the landing page. */
export interface CachedCompany {
  name: string
  logoUrl: string | null
}

interface StoredCompany extends CachedCompany {
  /** Milliseconds since 1970. */
  updatedAt: number
}

const KEY = 'company'
/** Lifetime of a cached entry in milliseconds (spec 4.12 and 9.1). */
const FRESH_MS = 86_400_000
const REFRESH_AFTER_MS = 5000

function read(): StoredCompany | null {
  try {
    const cached = JSON.parse(localStorage.getItem(KEY) ?? 'null') as StoredCompany | null
    return cached && Date.now() - cached.updatedAt < FRESH_MS ? cached : null
  } catch {
    return null
  }
}

function store(company: CachedCompany): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...company, updatedAt: Date.now() } satisfies StoredCompany))
  } catch {
    // The browser's storage is full or blocked. The page contains the same data, so no data is lost.
  }
}

/**
 * Returns the company's name and logo (spec 4.12). Both are embedded in the page, so they are painted immediately. The
 * browser caches them for 24 hours. A visit within that time reloads them after five seconds.
 */
export function useCachedCompany(): CachedCompany {
  const [company, setCompany] = useState<CachedCompany>({
    name: page().siteName,
    logoUrl: page().company?.logoUrl ?? null,
  })
  useEffect(() => {
    const fresh = read()
    if (!fresh) return store(company)
    const timer = setTimeout(() => {
      import('./refresh-company.ts')
        .then(({ loadCompany }) => loadCompany())
        .then((now) => {
          store(now)
          // An unchanged name and logo must not cause another render.
          setCompany((before) => (before.name === now.name && before.logoUrl === now.logoUrl ? before : now))
        })
        .catch(() => {}) // A failed reload leaves the current values.
    }, REFRESH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [company])
  return company
}
