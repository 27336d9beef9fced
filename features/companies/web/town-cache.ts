import { useEffect, useState } from 'react'
import { boot, placeName } from '../../../web/boot.ts'

/** What the landing page shows of its town. */
export interface CachedCompany {
  name: string
  logoUrl: string | null
}

interface StoredCompany extends CachedCompany {
  /** Milliseconds since 1970. */
  updatedAt: number
}

const KEY = 'company'
/** Specification 4.12 and 9.1. */
const FRESH_MS = 86_400_000
const REFRESH_AFTER_MS = 5000

function read(): StoredCompany | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as StoredCompany | null
    return kept && Date.now() - kept.updatedAt < FRESH_MS ? kept : null
  } catch {
    return null
  }
}

function keep(town: CachedCompany): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...town, updatedAt: Date.now() } satisfies StoredCompany))
  } catch {
    // full or refused storage: the page carries the same facts
  }
}

/**
 * The town's name and logo (specification 4.12). The page carries them, newer than any cache, so they are painted at
 * once; they are kept for 24 hours, and a visit within that time asks again after five seconds.
 */
export function useTown(): CachedCompany {
  const [town, setTown] = useState<CachedCompany>({ name: placeName, logoUrl: boot.company?.logoUrl ?? null })
  useEffect(() => {
    const fresh = read()
    if (!fresh) return keep(town)
    const timer = setTimeout(() => {
      import('./refresh-town.ts')
        .then(({ loadTown }) => loadTown())
        .then((now) => {
          keep(now)
          // The same name and logo must not draw anything anew.
          setTown((before) => (before.name === now.name && before.logoUrl === now.logoUrl ? before : now))
        })
        .catch(() => {}) // a quiet failure: what is shown stays
    }, REFRESH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [town])
  return town
}
