import { sql } from 'kysely'
import { defineColumns } from '../../../server/columns.ts'
import { say } from '../../../shared/messages.ts'
import { defineImporter, parseRow, yesIn } from '../../../server/importers.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { dollarsIn } from '../../../server/importers.ts'
import { violationForm } from '../contract.ts'
import { createViolation } from './violations.ts'

const columns = defineColumns('violation_codes', {
  needs: ['code', 'description', 'amount'],
  stored: {
    table: 'parking_violation',
    columns: {
      ...{ code: 'code', description: 'description', amount: 'amount_cents' },
      inactive: sql`CASE t.is_active WHEN 1 THEN 'no' ELSE 'yes' END`,
    },
  },
  columns: {
    code: { title: 'Code', aliases: 'violation_code violation number', content: 'code', sample: 'METER' },
    description: { title: 'Description', aliases: 'violation_name name title', sample: 'Expired meter' },
    amount: { title: 'Fine', aliases: 'amount fine_amount fee', content: 'money', sample: '25.00' },
    inactive: { title: 'Inactive', aliases: 'is_inactive disabled' },
  },
})

/** Imports violation codes. A known code gets the description and the fine of the file. */
defineImporter({
  kind: 'violation_codes',
  columns,
  undo: { tables: [{ table: 'parking_violation' }] },
  async start({ tx, call, changes }) {
    const company = call.company.id
    const rows = await tx.selectFrom('parking_violation').selectAll().where('company_id', '=', company).execute()
    const existing = new Map(rows.map((row) => [row.code, row]))
    return {
      take: (get) =>
        parseRow(violationForm, {
          code: get('code'),
          description: get('description'),
          amountCents: dollarsIn(say`Fine`, get('amount')),
          active: !yesIn(get('inactive')),
        }),
      keyOf: ({ code }) => code,
      async write(form) {
        const row = existing.get(form.code)
        if (!row) {
          await createViolation(tx, call, form)
          return 'created'
        }
        const after = {
          description: form.description,
          amount_cents: form.amountCents,
          is_active: form.active ? (1 as const) : (0 as const),
        }
        if (
          row.description === after.description &&
          row.amount_cents === after.amount_cents &&
          row.is_active === after.is_active
        )
          return 'unchanged'
        await changes.keep('parking_violation', 'id', [row.id])
        await changeRow(tx, 'parking_violation', company, row.id, after)
        return 'changed'
      },
    }
  },
})
