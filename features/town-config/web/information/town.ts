import type { RowOf } from '../../../../shared/list.ts'
import { readDraft } from '../../../../web/drafts.ts'
import type { configHistory } from '../../list.ts'
import type { Section, CompanyConfig } from '../../rules.ts'

/** What `returnConfig` answers, with its sections as their schemas make them. */
export interface CompanyConfigResponse {
  company: { id: number; guid: string; name: string; url: string }
  config: CompanyConfig
  /** The newest version of each section that was ever changed. */
  versions: Partial<Record<Section, number>>
  can: { update: boolean; seeStaff: boolean }
}

export type Version = RowOf<typeof configHistory>

/** The name that a section's unsaved text is kept under. */
export const draftOf = (companyId: number, section: string): string => `town-${companyId}-${section}`

export const isUnsaved = (companyId: number, section: string): boolean =>
  readDraft(draftOf(companyId, section)) !== null
