import { type BootData, emptyBoot } from '../shared/boot.ts'
import { systemTimeZone } from '../shared/dates.ts'

/** Data of a page. The server writes it into the page, and it never changes while the page is open. */
export interface Page extends BootData {
  /** Name of the municipality, or of the product if the page has no municipality (spec 2.8). */
  siteName: string
  /**
   * Time zone of the screens. Screens of a company use the company's time zone, wherever the browser is. The
   * administrator portal covers many companies, so it uses the browser's time zone and shows it with each time.
   */
  timeZone: string
}

export const pageOf = (boot: BootData): Page => ({
  ...boot,
  siteName: boot.company?.name ?? 'Mainstreet',
  timeZone: boot.company?.timeZone ?? systemTimeZone(),
})

function read(): Page {
  const text = globalThis.document?.getElementById('boot')?.textContent
  return pageOf(text ? { ...emptyBoot, ...(JSON.parse(text) as Partial<BootData>) } : emptyBoot)
}

/** In a browser, the only page. On the server, the page that is being rendered, or null. */
let current: Page | null = read()

/** Returns the data of this page. On the server, only a component that is being rendered has a page. */
export function page(): Page {
  if (!current) throw new Error('page() was called outside the rendering of a page.')
  return current
}

/** Runs work for this page on the server. The work is synchronous, so two pages never overlap. */
export function withPage<T>(next: Page, work: () => T): T {
  current = next
  try {
    return work()
  } finally {
    current = null
  }
}

/** Prepares the server, where no page exists until one is rendered. */
export function leaveNoPage(): void {
  current = null
}
