import type { RowOf } from '../../../../shared/list.ts'
import { readDraft } from '../../../../web/drafts.ts'
import type { configHistory } from '../../list.ts'
import type { Section, CompanyConfig } from '../../rules.ts'

/** Response of `returnConfig`, with its sections typed by their schemas. */
export interface CompanyConfigResponse {
  company: { id: number; guid: string; name: string; url: string }
  config: CompanyConfig
  /** Latest version of each section that has changed at least once. */
  versions: Partial<Record<Section, number>>
  can: { update: boolean; seeStaff: boolean }
  /** Visible sections in the order of the screen, with the permissions of the person. */
  sections: Partial<Record<Section, SectionAccess>>
  /** True in the administrator portal, false in the back office of the municipality. */
  isPlatform: boolean
}

interface SectionAccess {
  mayChange: boolean
  /** Settings that only the platform may change, with their values as text. */
  reserved: readonly { field: string; label: string; value: string }[]
}

export type Version = RowOf<typeof configHistory>

/** Returns the storage name of a section's draft. */
export const draftOf = (companyId: number, section: string): string => `town-${companyId}-${section}`

export const isUnsaved = (companyId: number, section: string): boolean =>
  readDraft(draftOf(companyId, section)) !== null
