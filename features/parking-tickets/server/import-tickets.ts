import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { addDays, dateIn, instantAt } from '../../../shared/dates.ts'
import { newEmail } from '../../../shared/email.ts'
import { isoDate } from '../../../shared/iso-date.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { defineColumns } from '../../../server/columns.ts'
import { columnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { countRow } from '../../../server/listed-rows.ts'
import type { TableRow } from '../../../server/table-rows.ts'
import {
  refuseParallelImport,
  collectRows,
  importAtOnce,
  importRows,
  reportInvalidRow,
  textIn,
  RowError,
} from '../../../server/imports.ts'
import { type ImportedRows, importSource, type UndoRules, withHistory } from '../../../server/imported-rows.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { citation, importTickets, plate, plateState } from '../contract.ts'
import { ticketStates } from '../states.ts'
import { settingsOf } from './settings.ts'
import { PARKING } from './tickets.ts'

const BATCH = 1000
const MAX_ROWS = 100_000
const IMPORT_LOCK = 20_119

/** Columns of the file. */
const columns = defineColumns('parking_tickets', {
  needs: ['citation', 'plate', 'state', 'violation', 'issued'],
  stored: {
    table: 'parking_ticket',
    columns: {
      ...{ citation: 'citation_number', plate: 'plate', state: 'plate_state', vehicle: 'vehicle', officer: 'officer' },
      ...{ location: 'location', email: 'email', notes: 'notes' },
    },
  },
  columns: {
    citation: {
      title: 'Citation',
      aliases: 'citation_number citation_no ticket ticket_number ticket_no notice_number',
      content: 'code',
      sample: 'T-1001',
    },
    plate: {
      title: 'License plate',
      aliases: 'plate_number plate_no license license_number tag tag_number',
      content: 'code',
      sample: 'KLM4521',
    },
    state: { title: 'Plate state', aliases: 'state license_state tag_state', content: 'state', sample: 'PA' },
    violation: {
      title: 'Violation code',
      aliases: 'violation code violation_number offense offense_code ordinance',
      content: 'code',
      sample: 'METER',
    },
    issued: {
      title: 'Issued',
      aliases: 'issued_at issued_on date issue_date date_issued violation_date ticket_date citation_date',
      content: 'date',
      sample: '2026-11-20 09:15',
    },
    time: { title: 'Issue time', aliases: 'time time_issued violation_time' },
    officer: {
      title: 'Officer',
      aliases: 'issued_by officer_name badge badge_number',
      sample: 'Officer Reyes',
    },
    vehicle: { title: 'Vehicle', aliases: 'make car vehicle_make make_model', sample: 'Blue Honda Civic' },
    location: {
      title: 'Location',
      aliases: 'place address street violation_location',
      sample: '12 Oak Street',
    },
    email: { title: 'Email', aliases: 'email_address owner_email', content: 'email', sample: 'driver@example.com' },
    notes: { title: 'Notes', aliases: 'comment comments remarks' },
    warning: { title: 'Warning', aliases: 'is_warning warning_only', sample: 'no' },
  },
})

interface Row {
  citation_number: string
  plate: string
  plate_state: string
  violation_id: number
  violation_code: string
  violation_text: string
  issued_at: string
  vehicle: string
  officer: string
  location: string
  email: string
  notes: string
  warning: boolean
  fine_cents: number
  due_on: string
  counted_from: string
  contest_until: string
}

interface Code {
  id: number
  code: string
  description: string
  amount_cents: number
}

const undoRules: UndoRules = {
  tables: withHistory('parking_ticket', ticketStates.name),
  uses: [
    {
      from: 'payment_order_line',
      column: 'payable_id',
      of: 'parking_ticket',
      only: { kind: PARKING },
      after: ['order_id', 'payment_order'],
      cause: 'paid',
    },
  ],
}

/** Imports tickets from a CSV file. If a citation number exists, the row updates that ticket. */
export const importTicketsCall = implement(importTickets, (call) =>
  importAtOnce((work) => call.inCompany(work), {
    ...call.body,
    undo: { source: importSource(call, 'parking_tickets', call.largeFile), rules: undoRules },
    work: async (tx, report, changes) => {
      await refuseParallelImport(tx, IMPORT_LOCK, call.company.id)
      const taker = await takerFor(tx, call, report, changes)
      const input = columnsInput(call)
      const table = await openTableOfStaff(tx, () => createReadStream(call.largeFile.path), input, columns)
      await importRows(rowsOfStaff(tx, table, input, report), {
        report,
        ...taker,
        every: BATCH,
      })
    },
    record: (tx, counts) =>
      call.audit(tx, { action: 'parking.imported', detail: { file: call.largeFile.name, ...counts } }),
  }),
)

/** Returns a function that collects valid rows and writes them in batches. */
async function takerFor(tx: Tx, call: Call, report: ImportReport, changes: ImportedRows) {
  const { company, context } = call
  const { dueDays, contestDays } = await settingsOf(tx, company.id)
  const codes = await tx
    .selectFrom('parking_violation')
    .select(['id', 'code', 'description', 'amount_cents'])
    .where('company_id', '=', company.id)
    .execute()
  const codesByName = new Map<string, Code>(codes.map((code) => [code.code, code]))
  const rows = collectRows<Row>(
    (row) => row.citation_number,
    (number, before) => say`Ticket ${number} appears earlier in the file: ${before}.`,
  )
  const rowInput = { codesByName, dueDays, contestDays, timeZone: company.timeZone, now: context.clock.now() }
  return {
    take: ({ texts, where }: TableRow): void => {
      if (report.read > MAX_ROWS)
        throw new FileRefused(say`A file can have up to ${'100,000'} tickets. Split it into smaller files.`)
      rows.add(rowFrom(texts, rowInput), where)
    },
    write: () => writeRows({ tx, call, report, changes }, rows.drain()),
  }
}

interface ImportOptions {
  codesByName: ReadonlyMap<string, Code>
  dueDays: number
  contestDays: number
  timeZone: string
  now: Date
}

/** Converts a CSV row to columns. @throws RowError with a message that states how to correct the row */
function rowFrom(
  texts: ReadonlyMap<string, string>,
  { codesByName, dueDays, contestDays, timeZone, now }: ImportOptions,
): Row {
  const text = (name: string, max: number): string => textIn(texts, name, max)
  const by = (schema: z.ZodMiniType<string, string>, name: string): string => {
    const parsed = schema.safeParse(texts.get(name) ?? '')
    if (!parsed.success) throw new RowError(parsed.error.issues[0]?.message ?? '')
    return parsed.data
  }
  const name = text('violation', 40).toUpperCase()
  const code = codesByName.get(name)
  if (!code)
    throw new RowError(
      name === '' ? say`Enter a violation code.` : say`Violation code ${name} does not exist. Add it first.`,
    )
  const [date = '', clock = ''] = text('issued', 40).split(/[ T]/)
  const time = text('time', 20) || clock || '12:00'
  const day = isoDate.safeParse(date)
  if (!day.success || !/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(time))
    throw new RowError(say`Enter the issue time as YYYY-MM-DD HH:mm.`)
  const issued = instantAt(timeZone, date, time.slice(0, 5))
  if (issued > now) throw new RowError(say`The issue time is in the future.`)
  const email = text('email', 254)
  if (email !== '' && !newEmail.safeParse(email).success) throw new RowError(say`${email} is not an email address.`)
  const warning = /^(?:1|y|yes|true|warning)$/i.test(text('warning', 20))
  const issuedOn = dateIn(timeZone, issued)
  return {
    citation_number: by(citation, 'citation'),
    plate: by(plate, 'plate'),
    plate_state: by(plateState, 'state'),
    violation_id: code.id,
    violation_code: code.code,
    violation_text: code.description,
    issued_at: issued.toISOString(),
    vehicle: text('vehicle', 80),
    officer: text('officer', 80),
    location: text('location', 200),
    email,
    notes: text('notes', 1000),
    warning,
    fine_cents: warning ? 0 : code.amount_cents,
    due_on: addDays(issuedOn, dueDays),
    counted_from: issuedOn,
    contest_until: addDays(issuedOn, contestDays),
  }
}

/** Columns of an existing ticket that an import may update. */
const CORRECTED = ['plate', 'plate_state', 'vehicle', 'officer', 'location', 'email', 'notes'] as const

async function writeRows(
  { tx, call, report, changes }: { tx: Tx; call: Call; report: ImportReport; changes: ImportedRows },
  rows: readonly (Row & { where: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const company = call.company.id
  const there = await tx
    .selectFrom('parking_ticket')
    .selectAll()
    .where('company_id', '=', company)
    .where('citation_number', '=', sql<string>`ANY (${rows.map((row) => row.citation_number)}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const byCitation = new Map(there.map((ticket) => [ticket.citation_number, ticket]))
  const [fresh, corrected]: [Row[], Row[]] = [[], []]
  for (const { where, ...row } of rows) {
    const ticket = byCitation.get(row.citation_number)
    if (!ticket) {
      fresh.push(row)
      countRow(report, 'created', where)
    } else if (ticket.violation_code !== row.violation_code || ticket.issued_at.toISOString() !== row.issued_at)
      reportInvalidRow(
        report,
        where,
        say`Ticket ${row.citation_number} already exists with another violation or time. Void it and issue a new one.`,
      )
    else if (CORRECTED.every((name) => ticket[name] === row[name])) countRow(report, 'unchanged', where)
    else {
      corrected.push(row)
      countRow(report, 'changed', where)
    }
  }
  if (fresh.length > 0) await insertFresh(tx, call, fresh)
  await changes.keep(
    'parking_ticket',
    'citation_number',
    corrected.map((row) => row.citation_number),
  )
  if (corrected.length > 0)
    await sql`
      UPDATE parking_ticket t SET plate = x.plate, plate_state = x.plate_state, vehicle = x.vehicle, officer = x.officer,
        location = x.location, email = x.email, notes = x.notes,
        address_id = CASE WHEN t.location = x.location THEN t.address_id END, lat = CASE WHEN t.location = x.location THEN t.lat END,
        lon = CASE WHEN t.location = x.location THEN t.lon END, at = CASE WHEN t.location = x.location THEN t.at END
      FROM jsonb_to_recordset(${JSON.stringify(corrected)}::jsonb)
        AS x(citation_number text, plate text, plate_state text, vehicle text, officer text, location text, email text, notes text)
      WHERE t.company_id = ${company} AND t.citation_number = x.citation_number`.execute(tx)
}

async function insertFresh(tx: Tx, call: Call, rows: readonly Row[]): Promise<void> {
  const { session } = call
  const name = session ? `${session.firstName} ${session.lastName}`.trim() : ''
  await sql`
    WITH made AS (
      INSERT INTO parking_ticket (company_id, citation_number, plate, plate_state, violation_id, violation_code, violation_text, issued_at,
        vehicle, officer, location, email, notes, status, fine_cents, due_on, counted_from,
        contest_until)
      SELECT ${call.company.id}::int, citation_number, plate, plate_state, violation_id, violation_code, violation_text, issued_at,
        vehicle, officer, location, email, notes, CASE WHEN warning THEN 'warning' ELSE 'open' END, fine_cents, due_on, counted_from,
        contest_until
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(citation_number text, plate text, plate_state text, violation_id bigint,
        violation_code text, violation_text text, issued_at timestamptz, vehicle text, officer text, location text, email text, notes text,
        warning boolean, fine_cents bigint, due_on date, counted_from date, contest_until date)
      RETURNING company_id, id, status)
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT company_id, ${ticketStates.name}, id, 1, '', status, CASE status WHEN 'warning' THEN 'warn' ELSE 'issue' END,
      ${call.context.clock.now()}::timestamptz, ${session?.kind ?? 'system'}, ${session?.personId ?? null}::bigint, ${name} FROM made`.execute(
    tx,
  )
}
