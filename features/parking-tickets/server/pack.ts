import { definePack, packFile } from '../../../server/packs.ts'
import { plural, say } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { saveSettings, saveViolation } from '../contract.ts'
import type { LateStep } from '../rules.ts'
import { saveSettingsCall, settingsOf } from './settings.ts'
import { saveViolationCall } from './violations.ts'

interface ViolationEntry {
  code: string
  description: string
  amountCents: number
}

const lateSteps = () => (packFile('violation-codes') as unknown as { lateSteps: LateStep[] }).lateSteps

/** Parking violations. The late steps of the pack apply if the municipality has none. */
export const violationPack = definePack<ViolationEntry>({
  pack: 'violation-codes',
  label: 'Parking violation codes',
  area: 'parking',
  calls: [saveViolationCall, saveSettingsCall],
  existing: async (tx, company) => {
    const rows = await tx
      .selectFrom('parking_violation')
      .select(['id', 'code'])
      .where('company_id', '=', company)
      .execute()
    return rows.map(({ id, code }) => ({ id, title: code }))
  },
  preview: ({ code, description, amountCents }) => ({
    title: code,
    text: description,
    details: [
      formatCents(amountCents),
      ...lateSteps().map(
        ({ day, feeCents }) => say`${formatCents(feeCents)} more after ${plural(day, '# day', '# days')}`,
      ),
    ],
  }),
  add: async ({ tx, company, run }, entry) => {
    const settings = await settingsOf(tx, company)
    if (settings.steps.length === 0) await run(saveSettings, { ...settings, steps: lateSteps() })
    return (await run(saveViolation, { violationId: null, ...entry, active: true })).violationId
  },
})
