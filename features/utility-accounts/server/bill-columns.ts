/** Columns of billing files, records files and readings files. */
import { type Column, defineColumns, LAST_FIRST_NAMES } from '../../../server/columns.ts'

const accountNumber: Column = {
  title: 'Account number',
  aliases:
    'account acct account_no acct_no account_num account_id account_# customer_number customer_no customer_id utility_account',
  content: 'code',
  sample: '100001',
}

/** Number of bill lines in one line of a billing file. */
export const GROUPS = 6
/** Names of a bill line's columns, each with the number of the bill line: service_1. */
export const GROUP_COLUMNS = ['service', 'description', 'quantity', 'unit', 'amount'] as const

/** Columns of amounts from earlier bills. */
const PREVIOUS_BALANCE = 'previous_balance prev_bal prior_balance balance_forward past_due last_balance'

const groupColumns: Record<(typeof GROUP_COLUMNS)[number], Column> = {
  service: {
    title: 'Service',
    aliases: 'service service_type service_name charge_type',
    sample: 'Water',
    preset: 'Utilities',
  },
  description: { title: 'Description', aliases: 'description charge_description', sample: 'Base charge and use' },
  quantity: { title: 'Quantity', aliases: 'quantity usage consumption', content: 'number', sample: '6.5' },
  unit: { title: 'Unit', aliases: 'unit unit_of_measure', sample: 'thousand gallons' },
  amount: {
    title: 'Amount',
    aliases:
      'amount balance amount_due total total_due total_amount balance_due current_charges current_charge new_charges bill_amount billed_amount invoice_amount total_charges current_balance account_balance',
    content: 'money',
    sample: '56.34',
    check: {
      names: PREVIOUS_BALANCE,
      header: /tot|due|bal/i,
      warning:
        'Your file also has a previous balance. If this amount includes it, choose the charges of the bill instead, unless this is your first file.',
    },
  },
}

/** Returns the columns of all bill lines. Files name the first one without a number. */
const groups = Object.fromEntries(
  Array.from({ length: GROUPS }, (_, at) =>
    GROUP_COLUMNS.map((name): [string, Column] => {
      const { aliases, sample: _, ...column } = groupColumns[name]
      return [
        `${name}_${at + 1}`,
        at === 0 ? groupColumns[name] : { ...column, aliases: aliasesOf(aliases, at + 1), nth: at + 1 },
      ]
    }),
  ).flat(),
)

function aliasesOf(aliases: string, nth: number): string {
  return aliases
    .split(' ')
    .map((alias) => `${alias}_${nth}`)
    .join(' ')
}

/** Required columns that the portal makes if a file lacks them. */
export const madeColumns = ['bill_number', 'period_start', 'period_end'] as const

export const billColumns = defineColumns('bills', {
  needs: [
    'account_number',
    'customer_name',
    'service_address',
    'city',
    'state',
    'zip',
    'bill_number',
    'bill_date',
    'due_date',
    'period_start',
    'period_end',
    'service_1',
    'amount_1',
  ],
  columns: {
    account_number: accountNumber,
    customer_name: {
      title: 'Customer name',
      aliases: 'name customer owner owner_name account_name bill_to bill_to_name resident resident_name full_name',
      sample: 'Ann Lee',
    },
    customer_name_last_first: {
      title: 'Customer name, last name first',
      aliases: LAST_FIRST_NAMES,
      lastFirst: 'customer_name',
    },
    customer_email: {
      title: 'Customer email',
      aliases: 'email email_address e_mail contact_email',
      content: 'email',
      sample: 'ann@example.com',
    },
    phone: {
      title: 'Phone',
      aliases: 'phone_number telephone home_phone phone_no primary_phone contact_phone customer_phone owner_phone',
      content: 'phone',
      sample: '(717) 555-0100',
    },
    route: { title: 'Route', aliases: 'cycle route_number book billing_cycle cycle_route', sample: '12' },
    service_address: {
      title: 'Service address',
      aliases:
        'address service_location street_address property_address location_address premise_address site_address service_street address_1 location street',
      sample: '12 Oak Street',
    },
    city: { title: 'City', aliases: 'service_city town address_city', sample: 'Maple Grove', preset: 'city' },
    state: {
      title: 'State',
      aliases: 'service_state st service_st address_state',
      content: 'state',
      sample: 'PA',
      preset: 'state',
    },
    zip: {
      title: 'ZIP code',
      aliases: 'zipcode postal_code service_zip address_zip zip_5',
      content: 'zip',
      sample: '17011',
      preset: 'zip',
    },
    bill_number: {
      title: 'Bill number',
      aliases: 'bill_no bill bill_id invoice invoice_number invoice_no invoice_id statement_number statement_no',
      content: 'code',
      sample: 'B-2026-11-100001',
      made: 'Made from the account number and the due date.',
    },
    bill_date: {
      title: 'Bill date',
      aliases: 'billing_date invoice_date statement_date date_billed date_of_bill',
      content: 'date',
      sample: '2026-11-01',
      preset: 'today',
    },
    due_date: {
      title: 'Due date',
      aliases: 'due payment_due payment_due_date date_due due_by pay_by',
      content: 'date',
      sample: '2026-11-25',
    },
    period_start: {
      title: 'Period start',
      aliases:
        'period_from service_from from from_date start_date service_start service_start_date service_from_date billing_start billing_period_start read_from previous_read_date prior_read_date',
      content: 'date',
      sample: '2026-10-01',
      made: 'A month before the end of the period.',
    },
    period_end: {
      title: 'Period end',
      aliases:
        'period_to service_to to to_date end_date service_end service_end_date service_to_date service_through billing_end billing_period_end through_date thru_date period_through read_to current_read_date',
      content: 'date',
      sample: '2026-10-31',
      made: 'The bill date.',
    },
    amount_paid: {
      title: 'Amount paid',
      aliases: 'paid payments payments_received payment_amount received amount_received pmts_rcvd',
      unless: {
        names: PREVIOUS_BALANCE,
        why: 'Left out: next to a previous balance, these payments belong to earlier bills.',
      },
      content: 'money',
      sample: '0.00',
    },
    link_code: { title: 'Link code', aliases: 'access_code registration_code', content: 'code' },
    document: { title: 'Bill PDF', aliases: 'pdf pdf_name pdf_file document_name file_name' },
    ...groups,
  },
})

/** Columns of a records file. Only such a file has a column for the kind of each line. */
export const recordColumns = defineColumns('records', {
  needs: ['account_number', 'record', 'record_number', 'date'],
  columns: {
    account_number: accountNumber,
    record: { title: 'Record', aliases: 'record_type', sample: 'adjustment' },
    record_number: {
      title: 'Record number',
      aliases: 'record_no record_id adjustment_number shutoff_number',
      content: 'code',
      sample: 'J-1001',
    },
    date: { title: 'Date', aliases: 'record_date effective_date', content: 'date', sample: '2026-11-10' },
    amount: { title: 'Amount', aliases: 'record_amount', content: 'money', sample: '-5.00' },
    reason: { title: 'Reason', aliases: 'record_reason', sample: 'Leak credit' },
  },
})

export const readColumns = defineColumns('reads', {
  needs: ['account_number', 'meter_number', 'read_date', 'service', 'unit', 'reading', 'used', 'days'],
  columns: {
    account_number: accountNumber,
    meter_number: {
      title: 'Meter number',
      aliases: 'meter meter_no meter_id meter_serial serial_number',
      content: 'code',
      sample: 'M-4471',
    },
    read_date: {
      title: 'Read date',
      aliases: 'reading_date date_read date current_read_date',
      content: 'date',
      sample: '2026-11-01',
    },
    service: { title: 'Service', aliases: 'service_type', sample: 'Water' },
    unit: { title: 'Unit', aliases: 'unit_of_measure units', sample: 'thousand gallons' },
    reading: {
      title: 'Reading',
      aliases: 'read current_read current_reading meter_reading',
      content: 'number',
      sample: '1204.5',
    },
    used: { title: 'Used', aliases: 'usage consumption quantity', content: 'number', sample: '6.5' },
    days: {
      title: 'Days',
      aliases: 'days_used number_of_days read_days service_days',
      content: 'number',
      sample: '31',
    },
    kind: { title: 'Kind', aliases: 'read_type read_code reading_type', sample: 'actual' },
  },
})
