import { sql } from 'kysely'
import { callerName } from '../../../server/call.ts'
import { type Copying, implementCopy } from '../../../server/copies.ts'
import { insertUnderFreeAddress } from '../../../server/db/rows.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { copyFieldSet } from '../../../server/fields/sets.ts'
import { actorOf, recordCreation } from '../../../server/states.ts'
import { copyFormType } from '../contract.ts'
import { formPdfFiles } from '../contract-pdf.ts'
import { slugOf } from '../rules.ts'
import { rowOf } from './change-types.ts'
import { currentPdf } from './pdf/stored-pdf.ts'
import { type FormType, formOf, readType, typeStateStore } from './types.ts'

/** Copies a form with its settings, questions and PDF. The copy is a draft without a reviewer and submissions. */
export const copyFormTypeCall = implementCopy<FormType>(copyFormType, {
  read: readType,
  names: { table: 'form_type', column: 'title', maxLength: 120 },
  nameOf: ({ title }) => title,
  async create(copying, type) {
    const { call, tx, company, from, name } = copying
    const at = call.context.clock.now()
    const values = {
      ...rowOf({ ...formOf(type), title: name, reviewerId: null }),
      ...{ company_id: company, created_at: at, changed_at: at },
      field_set_id: await copyFieldSet(workOf(call, tx), type.fieldSet, name),
    }
    const id = await insertUnderFreeAddress(slugOf(name), (slug) =>
      tx
        .insertInto('form_type')
        .values({ ...values, slug })
        .onConflict((on) => on.columns(['company_id', 'slug']).doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    await copyPdf(copying, id)
    await recordCreation(tx, typeStateStore, {
      ...{ scope: company, id, event: 'create', actor: actorOf(call), detail: { title: name, copiedFrom: from } },
    })
    return id
  },
})

async function copyPdf({ call, tx, company, from, copyFiles }: Copying, typeId: number): Promise<void> {
  const pdf = await currentPdf(tx, company, from)
  if (!pdf) return
  const { rows } = await sql<{ id: number }>`
    INSERT INTO form_pdf (company_id, type_id, kind, mapping, left_out, proof, added_at, added_by)
    SELECT company_id, ${typeId}, kind, mapping, left_out, proof, ${call.context.clock.now()}, ${callerName(call)}
    FROM form_pdf WHERE company_id = ${company} AND id = ${pdf.id} RETURNING id`.execute(tx)
  await copyFiles(formPdfFiles, pdf.id, rows[0]?.id ?? 0)
}
