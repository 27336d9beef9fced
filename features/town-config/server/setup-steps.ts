import { readValues } from '../../../server/company-values.ts'
import { isOffered, isOn } from '../../../server/modules.ts'
import { defineSetupStep, type SetupContext, type StepStatus } from '../../../server/setup.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { moduleNames } from '../../../shared/modules.ts'
import type { Section } from '../rules.ts'

/** Returns the sections that a person has saved, of those listed. */
async function savedSections(tx: Tx, { company }: SetupContext, sections: readonly Section[]): Promise<Section[]> {
  const rows = await tx
    .selectFrom('company_config_version')
    .select('section')
    .distinct()
    .where('company_id', '=', company.id)
    .where('section', 'in', sections)
    .where('actor_kind', '<>', 'system')
    .execute()
  return sections.filter((section) => rows.some((row) => row.section === section))
}

/** Returns the status of settings that a person saves or confirms. */
async function confirmed(tx: Tx, context: SetupContext, sections: readonly Section[]): Promise<StepStatus> {
  if (context.choice !== null) return { state: 'done' }
  const saved = await savedSections(tx, context, sections)
  return { state: saved.length === sections.length ? 'done' : saved.length > 0 ? 'started' : 'to_do' }
}

export const companySteps = [
  defineSetupStep({
    ...{ key: 'details', title: 'Address, hours and contacts', isRequired: true, area: 'settings' },
    path: '?section=details',
    choices: { confirmed: 'These are right' },
    status: async (tx, context) => {
      const { office, phone, hours } = (await readValues(tx, context.company.id)).en
      const detail = [office, phone, hours === '' ? say`Office hours are missing.` : hours].filter(Boolean).join(' · ')
      return { ...(await confirmed(tx, context, ['details', 'hours', 'contacts'])), detail }
    },
  }),
  defineSetupStep({
    ...{ key: 'look', title: 'Logo and colors', isRequired: false, area: 'settings', path: '?section=theme' },
    choices: { confirmed: 'Keep these colors' },
    status: async (tx, context) => {
      const { state } = await confirmed(tx, context, ['theme'])
      if (context.company.logoPath === '')
        return { state: state === 'done' ? 'started' : 'to_do', detail: say`The logo is missing.` }
      return { state: state === 'done' ? 'done' : 'started', detail: '' }
    },
  }),
  defineSetupStep({
    ...{ key: 'modules', title: 'Modules', isRequired: true, area: 'settings', path: '?section=modules' },
    choices: { confirmed: 'Keep these' },
    status: async (tx, context) => ({
      ...(await confirmed(tx, context, ['modules'])),
      detail: say`${moduleNames.filter((name) => isOn(context.company, name)).length} of ${moduleNames.length} modules are on.`,
    }),
  }),
  defineSetupStep({
    ...{ key: 'tiles', title: 'Tiles and message', isRequired: false, area: 'settings', path: '?section=tiles' },
    status: async (tx, { company }) => {
      const tiles = await tx
        .selectFrom('company_service')
        .select(['name', 'url'])
        .where('company_id', '=', company.id)
        .where('is_active', '=', 1)
        .execute()
      const closed = tiles.find(({ url }) => !isOffered(company, url))
      if (tiles.length === 0) return { state: 'to_do', detail: say`No tile is active.` }
      if (closed) return { state: 'started', detail: say`The tile “${closed.name}” leads to a module that is off.` }
      return { state: 'done' }
    },
  }),
]
