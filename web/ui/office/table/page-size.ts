import { PAGE_SIZE, PAGE_SIZES } from '../../../../shared/table.ts'
import { currentSession } from '../../../session.ts'

const key = () => `rows:${currentSession()?.userId ?? ''}`

/** Returns the page size that the person last chose in this browser. */
export function usualPageSize(): number {
  try {
    return PAGE_SIZES.find((size) => String(size) === localStorage.getItem(key())) ?? PAGE_SIZE
  } catch {
    return PAGE_SIZE
  }
}

export function rememberPageSize(rows: number): void {
  try {
    localStorage.setItem(key(), String(rows))
  } catch {
    // The browser blocks storage, so the person chooses again on the next visit.
  }
}
