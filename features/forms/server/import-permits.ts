import { type Insertable, sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { defineColumns } from '../../../server/columns.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { usesOfCase } from '../../../server/imported-rows.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import {
  byNames,
  dayIn,
  defineImporter,
  dollarsIn,
  type Get,
  noonOf,
  parseRow,
  personColumns,
  residentWithOwnEmail,
} from '../../../server/importers.ts'
import { nextInYear } from '../../../server/db/rows.ts'
import { RowError } from '../../../server/row-error.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { mobileField } from '../../../shared/accounts.ts'
import { emailOrNone } from '../../../shared/email.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { answersOf } from '../../../shared/fields/answers.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { prefilled } from '../../../shared/fields/prefill.ts'
import { say } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { personName, submissionCase } from '../contract.ts'
import { answersText, idOf, limitKeyOf, submissionStatus } from '../rules.ts'
import { submissionStates } from '../states.ts'
import { importedDocument, insertDocuments, termOf } from './documents/issued.ts'
import { insertSubmission, todayOf } from './fill.ts'
import { type FormType, typeColumns } from './types.ts'

const columns = defineColumns('permits', {
  needs: ['number', 'form', 'name|last', 'issued'],
  columns: {
    number: {
      title: 'Number',
      aliases:
        'permit permit_number permit_id permit_nbr license license_number license_id licence_number certificate_number tag tag_number record record_number record_id document_number application_number case_number id',
      content: 'code',
      sample: 'DL-2026-118',
    },
    form: {
      title: 'Form',
      aliases:
        'type permit_type license_type licence_type record_type document document_type license_class permit_class category class classification description_of_license',
      sample: 'Dog license',
      preset: '',
    },
    ...personColumns,
    name: {
      ...personColumns.name,
      aliases: `${personColumns.name.aliases} holder holder_name permit_holder license_holder licensee licensee_name permittee applicant applicant_name applicant_full_name owner owner_name issued_to business business_name company company_name`,
    },
    first: {
      ...personColumns.first,
      aliases: `${personColumns.first.aliases} owner_first_name applicant_first_name holder_first_name`,
    },
    last: {
      ...personColumns.last,
      aliases: `${personColumns.last.aliases} owner_last_name applicant_last_name holder_last_name`,
    },
    email: {
      ...personColumns.email,
      aliases: `${personColumns.email.aliases} applicant_email owner_email holder_email licensee_email business_email`,
    },
    phone: {
      ...personColumns.phone,
      aliases: `${personColumns.phone.aliases} applicant_phone owner_phone holder_phone business_phone`,
    },
    address: {
      title: 'Address',
      aliases:
        'street street_address location location_address site_address property_address business_address premise_address work_address job_address address_1 address_line_1 project_address mailing_address',
      sample: '12 Oak Street',
    },
    issued: {
      title: 'Issued on',
      aliases:
        'issued issue_date date_issued issued_date issuance_date license_date permit_date effective_date effective start_date valid_from approved_date approval_date',
      content: 'date',
      sample: '2026-01-15',
    },
    expires: {
      title: 'Valid until',
      aliases:
        'expires expires_on expiration expiration_date expire_date expiry expiry_date date_expires date_expired exp_date valid_to valid_through valid_thru end_date',
      content: 'date',
      sample: '2026-12-31',
    },
    status: {
      title: 'Status',
      aliases: 'state permit_status license_status record_status current_status',
      sample: 'Active',
    },
    fee: {
      title: 'Fee paid',
      aliases:
        'fee fees fee_amount amount amount_paid total total_fee total_fees total_paid license_fee permit_fee paid',
      content: 'money',
      sample: '15.00',
    },
    details: {
      title: 'Details',
      aliases:
        'description notes note comments comment conditions remarks work_description project_description project project_name scope scope_of_work',
      sample: 'Juno, beagle, female',
    },
  },
})
type Name = keyof (typeof columns)['columns']

type Status = 'active' | 'expired' | 'revoked' | 'open'
const statuses = byNames<Status>([
  ['active', '|active|issued|approved|valid|current|in force|licensed|permitted|renewed|good standing'],
  ['expired', 'expired|lapsed|inactive|closed|complete|completed|final|finaled|finalized'],
  ['revoked', 'revoked|suspended|cancelled|canceled|void|voided'],
  [
    'open',
    'pending|pending review|in review|under review|applied|application|submitted|received|incomplete|on hold|draft|denied|rejected|withdrawn|payment required|ready to issue',
  ],
])
const imported = {
  active: { event: 'import', status: submissionStatus.approved },
  expired: { event: 'import_expired', status: submissionStatus.expired },
  revoked: { event: 'import_revoked', status: submissionStatus.revoked },
} as const

interface Permit {
  number: string
  type: FormType
  name: string
  email: string
  phone: string
  issuedOn: string
  expiresOn: string | null
  status: keyof typeof imported
  details: { name: string; value: string }[]
}

interface NewPermit extends Permit {
  id: number
  definition: Definition
  today: string
}

interface PermitRows {
  id: number
  round: Insertable<Schema['form_round']>
  document: Insertable<Schema['issued_document']>
}

/** Number of rows in one statement. */
const BATCH = 500
const MAX_NUMBER = 40

/**
 * Imports issued permits and licenses as approved submissions, each with its document. They keep their number and days.
 * A known number of a form changes nothing.
 */
defineImporter({
  kind: 'permits',
  columns,
  undo: {
    // The ids begin with the year of issue, so the import notes its rows itself.
    tables: [],
    uses: usesOfCase('form_submission', submissionCase.kind),
  },
  async start({ tx, call, changes }) {
    const company = call.company.id
    const formOf = await formFinder(tx, company)
    const existing = await existingNumbers(tx, company)
    const definitionOf = definitionReader(tx, company)
    const today = todayOf(call)
    const made: PermitRows[] = []
    const years = new Set<number>()
    return {
      take: (get): Permit => takePermit(get, formOf(get('form')), today),
      keyOf: ({ number, type }) => keyOf(type.id, number),
      async write(permit) {
        if (existing.has(keyOf(permit.type.id, permit.number))) return 'unchanged'
        const year = Number(permit.issuedOn.slice(0, 4))
        if (!years.has(year)) await changes.keep('form_number', 'year', [year])
        years.add(year)
        const id = idOf(year, await nextInYear(tx, 'form_number', company, year))
        made.push(await importPermit(tx, call, { ...permit, id, today, definition: await definitionOf(permit.type) }))
        return 'created'
      },
      async end() {
        for (let at = 0; at < made.length; at += BATCH) await insertParts(tx, made.slice(at, at + BATCH))
        const ids = made.map(({ id }) => id)
        await changes.note('form_submission', 'id', ids)
        await changes.note('form_round', 'submission_id', ids)
        await changes.note('issued_document', 'submission_id', ids)
        await changes.note('status_history', 'subject_id', ids, { machine: submissionStates.name })
        await changes.note('form_number', 'year', [...years])
      },
    }
  },
})

const keyOf = (type: number, number: string): string => `${type} ${number.toLowerCase()}`

async function existingNumbers(tx: Tx, company: CompanyId): Promise<Set<string>> {
  const { rows } = await sql<{ type: number; number: string }>`
    SELECT s.type_id AS type, p.number FROM issued_document p
    JOIN form_submission s ON s.company_id = p.company_id AND s.id = p.submission_id WHERE p.company_id = ${company}`.execute(
    tx,
  )
  return new Set(rows.map(({ type, number }) => keyOf(type, number)))
}

/** Loads the forms. The result finds one by its title, or by the document that it issues. */
async function formFinder(tx: Tx, company: CompanyId) {
  const { rows: forms } = await sql<FormType>`
    SELECT ${typeColumns} FROM form_type t WHERE t.company_id = ${company} ORDER BY t.id`.execute(tx)
  return (name: string): FormType => {
    if (name === '') throw new RowError(say`Enter the form of the permit, such as “Dog license”.`)
    const matching = (textOf: (form: FormType) => string) =>
      forms.filter((form) => textOf(form).toLowerCase() === name.toLowerCase())
    const titled = matching(({ title }) => title)
    const [form, other] = titled.length > 0 ? titled : matching(({ issues }) => issues)
    if (!form)
      throw new RowError(say`No form has the title “${name}” or issues a document with this name. Add the form first.`)
    if (other) throw new RowError(say`Several forms match “${name}”. Give them different titles first.`)
    if (form.issues === '')
      throw new RowError(say`The form “${form.title}” issues no document. Enter the issued document in the form first.`)
    if (form.latestVersion === 0)
      throw new RowError(say`The form “${form.title}” has no published fields. Publish the form first.`)
    return form
  }
}

/** Parses a permit. @throws RowError */
function takePermit(get: Get<Name>, type: FormType, today: string): Permit {
  const number = get('number')
  if (number === '') throw new RowError(say`Enter the number of the permit.`)
  if (number.length > MAX_NUMBER) throw new RowError(say`The number has more than ${MAX_NUMBER} characters.`)
  const name = get('name') || `${get('first')} ${get('last')}`.trim()
  if (name === '') throw new RowError(say`Enter the name of the holder.`)
  const issuedOn = dayIn(say`Issued on`, get('issued', 40))
  if (issuedOn === null) throw new RowError(say`Enter the day of issue.`)
  if (issuedOn > today) throw new RowError(say`The day of issue is in the future.`)
  const expiresOn = dayIn(say`Valid until`, get('expires', 40)) ?? termOf(issuedOn, type, null).expires_on
  if (expiresOn !== null && expiresOn < issuedOn)
    throw new RowError(say`The last valid day is before the day of issue.`)
  return {
    ...{ number, type, issuedOn, expiresOn },
    name: parseRow(personName, name),
    email: parseRow(emailOrNone, get('email', 254)),
    phone: nationalDigits(parseRow(mobileField, get('phone', 60))),
    status: statusIn(get('status'), { expiresOn, today }),
    details: detailsIn(get),
  }
}

/** Returns the status of a permit. @throws RowError if the permit was not issued, or its status is unknown */
function statusIn(text: string, { expiresOn, today }: { expiresOn: string | null; today: string }): Permit['status'] {
  const status = statuses.get(text.trim().toLowerCase())
  if (status === undefined)
    throw new RowError(say`“${text}” in “Status” was not found. Use Active, Expired or Revoked.`)
  if (status === 'open') throw new RowError(say`A permit with the status “${text}” is not issued. Leave out the row.`)
  return status === 'active' && expiresOn !== null && expiresOn < today ? 'expired' : status
}

/** Returns the details of the other system that the portal only shows. @throws RowError */
function detailsIn(get: Get<Name>): Permit['details'] {
  const fee = get('fee', 40)
  const feeCents = fee === '' ? 0 : dollarsIn(say`Fee paid`, fee)
  if (feeCents < 0) throw new RowError(say`The amount in “${say`Fee paid`}” is less than zero.`)
  return [
    { name: say`Address`, value: get('address') },
    { name: say`Details`, value: get('details', 1000) },
    { name: say`Fee paid`, value: feeCents === 0 ? '' : formatCents(feeCents) },
  ].filter(({ value }) => value !== '')
}

/** Returns a function that reads the published fields of a form, once for each form. */
function definitionReader(tx: Tx, company: CompanyId) {
  const definitions = new Map<number, Definition>()
  return async ({ id, fieldSet, latestVersion }: FormType): Promise<Definition> => {
    const loaded = definitions.get(id)
    if (loaded) return loaded
    const { definition } = await versionOf({ tx, company }, fieldSet, latestVersion)
    definitions.set(id, definition)
    return definition
  }
}

/** Returns the answers to the fields that the portal fills from a profile: name, email and phone. */
function answersFor({ definition, name, email, phone, issuedOn }: NewPermit): Answers {
  const [first_name = '', ...rest] = name.split(' ')
  const raw = prefilled(definition, { first_name, last_name: rest.join(' '), email, phone })
  const { answers } = answersOf(definition, raw, issuedOn)
  return Object.fromEntries(Object.entries(answers).filter(([field]) => Object.hasOwn(raw, field)))
}

/** Creates the submission of a permit. Sends no email. @returns the rows of its round and document */
async function importPermit(tx: Tx, call: Call, permit: NewPermit): Promise<PermitRows> {
  const { id, type, definition, number, name, email, phone, status, details, issuedOn, expiresOn, today } = permit
  const company = call.company.id
  const answers = answersFor(permit)
  const now = call.context.clock.now()
  const issuedAt = new Date(Math.min(noonOf(call.company, issuedOn).getTime(), now.getTime()))
  const texts = [say`Number: ${number}`, ...details.map((detail) => `${detail.name}: ${detail.value}`)]
  await insertSubmission(tx, call, type, {
    ...{ id, made_by: 'import', entered_by: '', name, email, phone, status: imported[status].status },
    event: imported[status].event,
    person_id: await residentWithOwnEmail(tx, company, email),
    answers: JSON.stringify(answers),
    answer_text: [answersText(definition, answers), ...texts].filter(Boolean).join('; '),
    details: JSON.stringify(details),
    limit_key: limitKeyOf(type, answers),
    ...{ rounds: 1, created_at: issuedAt, submitted_at: issuedAt, decided_at: issuedAt, closed_at: issuedAt },
    decided_by: say`Previous system`,
    updated_at: now,
  })
  return {
    id,
    round: {
      ...{ company_id: company, submission_id: id, no: 1, field_set_id: type.fieldSet, version: type.latestVersion },
      ...{ answers: JSON.stringify(answers), sent_by: name, at: issuedAt },
    },
    document: importedDocument(company, type, {
      ...{ submissionId: id, number, holder: name, issuedOn, expiresOn, today },
    }),
  }
}

/** Inserts the rounds and documents of permits. */
async function insertParts(tx: Tx, permits: readonly PermitRows[]): Promise<void> {
  await tx
    .insertInto('form_round')
    .values(permits.map(({ round }) => round))
    .execute()
  await insertDocuments(
    tx,
    permits.map(({ document }) => document),
  )
}
