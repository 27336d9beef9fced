import { type BootData, emptyBoot } from '../shared/boot.ts'

function read(): BootData {
  const text = globalThis.document?.getElementById('boot')?.textContent
  return text ? { ...emptyBoot, ...(JSON.parse(text) as Partial<BootData>) } : emptyBoot
}

/** What the server wrote into this page. It never changes while the page lives. */
export const boot: BootData = read()

/** The municipality's name; the product's own where there is none (specification 2.8). */
export const placeName: string = boot.company?.name ?? 'Mainstreet'
