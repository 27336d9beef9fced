const KEY = 'faqs-told'
/** More than anybody reads. */
const MAX_VIEWS = 500

function read(): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'number') : []
  } catch {
    return []
  }
}

/** Has somebody said in this browser whether the answer helped? */
export const hasTold = (faqId: number): boolean => read().includes(faqId)

export function noteTold(faqId: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read(), faqId].slice(-MAX_VIEWS)))
  } catch {
    // A browser that keeps nothing asks again.
  }
}
