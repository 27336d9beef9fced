import { sql } from 'kysely'
import type { DemoPart } from '../../server/demo.ts'
import { outsideCompanies } from '../../server/tenancy.ts'

const addConflicts = (now: Date) => sql`
  INSERT INTO field_conflict (company_id, action_id, part, subject_id, subject_name, label, call, body, refusal, made_at, stored_at,
    person_id, person_name, status)
  SELECT t.company_id, md5('field ' || t.company_id || t.part || t.id), t.part, t.id, t.name, t.label, t.call, t.body, t.refusal,
    ${now}::timestamptz - t.n * interval '5 hours', ${now}::timestamptz - t.n * interval '3 hours', p.id,
    p.first_name || ' ' || p.last_name, 'open'
  FROM (
    SELECT company_id, 'hydrant' AS part, id, 'Hydrant ' || number AS name, 'Taken out of service' AS label, 'muni/transition/hydrant' AS call,
      jsonb_build_object('hydrantId', id, 'event', 'take_out', 'reason', 'Leaks at the bonnet') AS body,
      'Hydrant ' || number || ' has the status “Out of service”, so you cannot do this.' AS refusal, row_number() OVER (PARTITION BY company_id ORDER BY id) AS n
    FROM hydrant WHERE service = 'out_of_service'
    UNION ALL
    SELECT company_id, 'order', id, 'Work order ' || number, 'Started', 'muni/change/work/order/status',
      jsonb_build_object('orderId', id, 'event', 'start'), 'Work order ' || number || ' has the status “In progress”, so you cannot do this.',
      row_number() OVER (PARTITION BY company_id ORDER BY id)
    FROM work_order WHERE status = 1) t
  JOIN LATERAL (SELECT id, first_name, last_name FROM person WHERE company_id = t.company_id AND role_id >= 3 ORDER BY role_id, id LIMIT 1) p
    ON true
  WHERE t.n <= 3`

export const demo: DemoPart = {
  after: ({ db, clock }) =>
    outsideCompanies(db.platform)(async (tx) => void (await addConflicts(clock.now()).execute(tx))),
}
