import { sql } from 'kysely'
import type { Tx } from '../../server/tenancy.ts'
import { blankField, blankStep, whenAll } from '../../shared/fields/blank.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import type { RentalDemo } from '../rentals/demo-steps.ts'
import { FIELDS_KIND } from './server/resource-fields.ts'

/** Questions that the demo companies ask about some resources, and the answers of renters. */

const yesNo = (name: string, label: string, help = ''): Field => ({
  ...blankField('choice', name),
  ...{ label, help, required: true },
  options: [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
})
const isYes = (field: string) => whenAll({ '==': [{ var: field }, 'yes'] })

const agreementStep = (title: string, text: string) => ({
  ...blankStep('agreement'),
  title,
  fields: [
    { ...blankField('reading', 'terms'), label: 'What you agree to', text },
    { ...blankField('signature', 'signature'), label: 'Your signature', required: true },
  ],
})

const TERMS =
  'I am at least 21 years old and will stay as long as my guests do. I will leave the place clean and locked, pay for damage, and hold the municipality harmless for what happens during my reservation.'

const hall: Definition = {
  steps: [
    {
      ...blankStep('event'),
      title: 'Your event',
      fields: [
        yesNo('alcohol', 'Will there be alcohol?'),
        {
          ...blankField('text', 'server'),
          ...{ label: 'Who serves it?', required: true, showWhen: isYes('alcohol') },
          help: 'The name of the licensed caterer.',
        },
        yesNo('music', 'Will there be amplified music?', 'It ends at 10 PM.'),
      ],
    },
    agreementStep('Agreement', TERMS),
  ],
}
const equipment: Definition = {
  steps: [
    {
      ...blankStep('pickup'),
      title: 'Pickup',
      fields: [
        { ...blankField('text', 'where'), label: 'Where will you use the tables?', required: true },
        yesNo('truck', 'Do you come with a truck or a trailer?'),
      ],
    },
    agreementStep(
      'Loan agreement',
      'I will return what I borrowed in the same condition, on the last day of the reservation.',
    ),
  ],
}
const shelter: Definition = {
  steps: [
    {
      ...blankStep('event'),
      title: 'Your event',
      fields: [
        yesNo('fire', 'Will you use the fireplace?'),
        {
          ...blankField('checkbox', 'wood'),
          ...{ label: 'I bring my own clean, dry wood.', required: true, showWhen: isYes('fire') },
        },
        yesNo('tent', 'Do you put up tents?', 'Stakes of more than a foot may hit a water line.'),
      ],
    },
    agreementStep('Agreement', TERMS),
  ],
}

interface DemoQuestions {
  definition: Definition
  /** Sets of answers. The reservations use them in rotation. */
  answers: readonly Record<string, string | boolean>[]
}
const questionsByResource: Readonly<Record<string, DemoQuestions>> = {
  'Community Room': {
    definition: hall,
    answers: [
      { alcohol: 'no', music: 'no' },
      { alcohol: 'yes', server: 'Corner Catering', music: 'yes' },
      { alcohol: 'no', music: 'yes' },
    ],
  },
  'Folding tables': {
    definition: equipment,
    answers: [
      { where: 'Our yard, 12 Oak Street', truck: 'yes' },
      { where: 'The church hall', truck: 'no' },
    ],
  },
  Boathouse: {
    definition: hall,
    answers: [
      { alcohol: 'yes', server: 'Pier Nine Catering', music: 'yes' },
      { alcohol: 'no', music: 'yes' },
    ],
  },
  'Lighthouse Park shelter': {
    definition: shelter,
    answers: [
      { fire: 'no', tent: 'no' },
      { fire: 'yes', wood: true, tent: 'no' },
      { fire: 'no', tent: 'yes' },
    ],
  },
}

/** Adds the questions of the resources. Must run before the reservations are added. */
export async function addQuestions(tx: Tx, { demo, company, resources }: RentalDemo): Promise<void> {
  const began = new Date(demo.clock.now().getTime() - 400 * 86_400_000)
  for (const [name, { definition }] of Object.entries(questionsByResource)) {
    const id = resources.get(name)
    if (id === undefined) continue
    const draft = JSON.stringify(definition)
    const set = await tx
      .insertInto('field_set')
      .values({
        ...{ company_id: company, kind: FIELDS_KIND, name, draft },
        ...{ latest_version: 1, created_at: began, updated_at: began },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('field_set_version')
      .values({
        ...{ company_id: company, field_set_id: set.id, version: 1, definition: draft },
        ...{ published_at: began, published_by: 'Mainstreet' },
      })
      .execute()
    await tx
      .updateTable('rental_resource')
      .set({ field_set_id: set.id })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .execute()
  }
}

/**
 * Adds one set of answers for each reservation or series. Some future reservations that staff entered stay unsigned,
 * including one that belongs to the demo resident.
 */
export async function addAgreements(tx: Tx, { company, resources }: RentalDemo): Promise<void> {
  for (const [name, { answers }] of Object.entries(questionsByResource)) {
    const id = resources.get(name)
    if (id === undefined) continue
    const answersJson = JSON.stringify(answers)
    await sql`
      WITH asked AS (
        SELECT v.id, v.name, v.created_at, v.by_staff, s.field_set_id AS set, coalesce(v.series_id, -v.id) AS together,
          v.by_staff AND v.status IN ('confirmed', 'requested', 'held') AS open
        FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
        WHERE v.company_id = ${company} AND v.resource_id = ${id}
      ), chosen AS (
        SELECT together, nextval('rental_agreement_id_seq') AS agreement, min(name) AS name, min(created_at) AS at,
          bool_or(by_staff) AS by_staff, min(set) AS set, (row_number() OVER (ORDER BY together))::int AS n
        FROM asked WHERE NOT open GROUP BY together
      ), kept AS (
        INSERT INTO rental_agreement (company_id, id, resource_id, field_set_id, version, answers, answered_at, by_name, by_staff)
        SELECT ${company}, agreement, ${id}, set, 1,
          (${answersJson}::jsonb -> (n % jsonb_array_length(${answersJson}::jsonb))) || jsonb_build_object('signature', jsonb_build_object('typed', name)),
          at, CASE WHEN by_staff THEN 'Pat Desk' ELSE name END, by_staff
        FROM chosen
      )
      UPDATE rental_reservation v SET field_set_id = a.set, agreement_id = c.agreement
      FROM asked a LEFT JOIN chosen c ON c.together = a.together AND NOT a.open
      WHERE v.company_id = ${company} AND v.id = a.id`.execute(tx)
  }
  await sql`
    UPDATE rental_reservation v SET person_id = p.id, name = p.first_name || ' ' || p.last_name, email = p.email
    FROM person p WHERE v.company_id = ${company} AND p.company_id = v.company_id AND p.email LIKE 'resident@%' AND v.id = (
      SELECT id FROM rental_reservation WHERE company_id = ${company} AND status = 'confirmed' AND field_set_id IS NOT NULL
        AND agreement_id IS NULL AND person_id IS NULL ORDER BY starts_at, id LIMIT 1)`.execute(tx)
}
