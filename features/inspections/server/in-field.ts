import { sql } from 'kysely'
import { defineFieldPart } from '../../../server/field-parts.ts'
import { addItemPhoto, itemPhotos } from '../contract.ts'
import { type Inspection, lockItem } from './inspections.ts'
import { answerItemCall, failItemCall, passItemCall, transitionItemCall, withoutPrefix } from './items.ts'
import { transitionInspectionCall } from './schedule.ts'
import { inspectionsOf } from './show-inspection.ts'

/** Largest number of inspections on one phone. */
const MAX_INSPECTIONS = 40

/** Offline copy of the open inspections that are assigned to the person, to the person's department, or to no one. */
defineFieldPart({
  kind: 'inspection',
  calls: [answerItemCall, transitionItemCall, passItemCall, failItemCall, transitionInspectionCall],
  photos: {
    [addItemPhoto.path]: { use: itemPhotos, expectOpen: (tx, call, id) => lockItem(tx, call.company.id, id) },
  },
  fieldAt: (field) => (field === 'note' ? [field] : ['answers', withoutPrefix(field)]),
  copy: async (tx, call, { personId, departmentId }) => {
    const { rows } = await sql<Inspection>`
      SELECT i.* FROM inspection i LEFT JOIN person p ON p.company_id = i.company_id AND p.id = i.assigned_to
      WHERE i.company_id = ${call.company.id} AND i.status = 'scheduled'
        AND (i.assigned_to IS NULL OR i.assigned_to = ${personId} OR p.department_id = ${departmentId})
      ORDER BY i.assigned_to IS NOT DISTINCT FROM ${personId}::bigint DESC,
        coalesce(i.starts_at, i.due_on::timestamp AT TIME ZONE ${call.company.timeZone}), i.id LIMIT ${MAX_INSPECTIONS}`.execute(
      tx,
    )
    const inspections = await inspectionsOf(tx, call, rows)
    return inspections.map((inspection) => ({
      ...inspection,
      items: inspection.items.map((item) => ({
        ...item,
        photos: item.photos.map((photo) => ({ ...photo, preview: null })),
      })),
    }))
  },
})
