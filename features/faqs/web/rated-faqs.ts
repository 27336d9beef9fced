const KEY = 'faqs-told'
/** Maximum number of stored FAQ ids, more than a person reads. */
const MAX_VIEWS = 500

function read(): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'number') : []
  } catch {
    return []
  }
}

/** True if feedback on the answer was sent from this browser. */
export const hasRated = (faqId: number): boolean => read().includes(faqId)

export function noteRated(faqId: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...read(), faqId].slice(-MAX_VIEWS)))
  } catch {
    // Without storage, the page asks for feedback every time.
  }
}
