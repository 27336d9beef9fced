import { type BootData, emptyBoot } from '../shared/boot.ts'

function read(): BootData {
  const text = globalThis.document?.getElementById('boot')?.textContent
  return text ? { ...emptyBoot, ...(JSON.parse(text) as Partial<BootData>) } : emptyBoot
}

/** Data that the server wrote into this page. It never changes while the page is open. */
export const boot: BootData = read()

/** Name of the municipality, or of the product if the page has no municipality (spec 2.8). */
export const siteName: string = boot.company?.name ?? 'Mainstreet'
