import { blankColumn, blankField, blankStep, whenAll } from '../../../shared/fields/blank.ts'
import type { Column, Definition, Field, FieldOption, FieldType, FormStep } from '../../../shared/fields/definition.ts'
import type { Kind } from '../rules.ts'

/**
 * Initial questions of each kind, with the texts and codes of the specification (spec 9.7). Staff can change them in
 * the form builder.
 */

const field = <Type extends FieldType>(type: Type, name: string, label: string, more: object = {}): Field =>
  ({ ...blankField(type, name), label, ...more }) as Field
const column = (type: Column['type'], name: string, label: string, more: object = {}): Column =>
  ({ ...blankColumn(type, name), label, ...more }) as Column
const step = (id: string, title: string, intro: string, ...fields: Field[]): FormStep => ({
  ...blankStep(id),
  title,
  intro,
  fields,
})
const must = { required: true }
/** Builds options with the specification's codes, numbered from `from`. */
const codes = (from: number, ...labels: string[]): { options: FieldOption[] } => ({
  options: labels.map((label, at) => ({ value: String(from + at), label })),
})

const relations = codes(
  1,
  ...['Self', 'Spouse', 'Child', 'Mother', 'Father', 'Grand Parent', 'Other Relative', 'Friend', 'Roommate', 'Other'],
)
const ownedOrRented = field('choice', 'property_type', 'Is the property owned or rented?', codes(1, 'Owned', 'Rented'))

const alerts: FormStep = step(
  'alerts',
  'Your notifications',
  'You can change these choices at any time.',
  field('choices', 'alerts', 'Notify me about', {
    options: [
      { value: 'a', label: 'Municipal alerts' },
      { value: 'p', label: 'Permits and inspections' },
      { value: 'm', label: 'Moving in and out' },
      { value: 'r', label: 'My registrations' },
      { value: 'f', label: 'Forms and documents' },
      { value: '$', label: 'Payments' },
    ],
  }),
)

const contacts: Field = field('table', 'contacts', 'Emergency contacts, available day and night', {
  row: 'contact',
  required: true,
  min: 1,
  max: 5,
  columns: [
    column('text', 'name', 'Name', { ...must, maxLength: 80 }),
    column('phone', 'phone', 'Phone', must),
    column('text', 'role', 'Role', { maxLength: 60 }),
  ],
})

const CONSENT = {
  help: 'Without your permission, only the registration office can read this information. You can change your choice at any time.',
}
const consent = (label: string): Field => field('checkbox', 'consent', label, CONSENT)

const household: FormStep[] = [
  step(
    'home',
    'Your household',
    '',
    field('text', 'household_name', 'Household name', { ...must, help: 'Example: Whitaker', maxLength: 80 }),
    { ...ownedOrRented, required: true },
    field('phone', 'phone', 'Phone', { prefill: 'phone' }),
    field('email', 'email', 'Email', { prefill: 'email' }),
  ),
  step(
    'people',
    'People in your home',
    'List everyone who sleeps here most nights. Start with yourself.',
    field('table', 'people', 'People', {
      ...must,
      row: 'person',
      min: 1,
      max: 15,
      columns: [
        column('choice', 'prefix', 'Title', codes(1, 'Mr.', 'Mrs.', 'Ms.', 'Dr.')),
        column('text', 'first_name', 'First name', { ...must, maxLength: 60 }),
        column('text', 'last_name', 'Last name', { ...must, maxLength: 60 }),
        column('choice', 'suffix', 'Suffix', codes(1, 'Jr.', 'Sr.')),
        column('choice', 'relation', 'Relation to you', { ...must, ...relations }),
        column('date', 'born', 'Date of birth', { latest: 'today' }),
      ],
    }),
    field('table', 'pets', 'Pets', {
      row: 'pet',
      help: 'If first responders know about a dog inside, both they and the dog are safer.',
      max: 10,
      columns: [
        column('text', 'name', 'Name', { ...must, maxLength: 40 }),
        column('text', 'animal', 'Type of animal', { ...must, maxLength: 40 }),
        column('checkbox', 'licensed', 'Licensed'),
      ],
    }),
  ),
  step(
    'emergency',
    'In an emergency',
    'Enter information that would help first responders help you.',
    field('choices', 'needs', 'Someone in this home', {
      options: [
        { value: 'walk', label: 'cannot walk, or uses a wheelchair' },
        { value: 'oxygen', label: 'uses oxygen' },
        { value: 'power', label: 'depends on a machine that needs power' },
        { value: 'hear', label: 'cannot hear' },
        { value: 'see', label: 'cannot see' },
        { value: 'memory', label: 'may be confused or afraid' },
      ],
    }),
    field('text', 'needs_words', 'Other helpful information', { long: true, maxLength: 500 }),
    field('text', 'key_holder', 'Key holder', {
      help: 'Enter the name and phone number of the person who has a key.',
      maxLength: 120,
    }),
    consent('First responders may see the people, pets, needs and key holder listed for this address.'),
  ),
  alerts,
]

const business: FormStep[] = [
  step(
    'business',
    'Your business',
    '',
    field('text', 'business_name', 'Business name', { ...must, maxLength: 120 }),
    field('choice', 'ownership', 'Ownership', {
      ...must,
      ...codes(1, 'Sole Proprietor', 'Partnership', 'Limited Liability Company', 'Corporation', 'Other'),
    }),
    field('choice', 'position', 'Your position', {
      ...must,
      ...codes(1, 'Owner', 'Managing Partner', 'Chief Executive'),
    }),
    field('text', 'trade', 'Type of business', { ...must, maxLength: 120 }),
    field('text', 'license', 'License number', {
      help: 'Enter the number if the municipality or the state issued a license.',
      maxLength: 40,
    }),
    field('number', 'employees', 'Number of employees', { max: 100_000 }),
    { ...ownedOrRented, required: true },
  ),
  step(
    'hours',
    'Hours and contacts',
    '',
    field('text', 'hours', 'Business hours', { help: 'Example: Monday to Friday, 9 AM to 5 PM', maxLength: 200 }),
    contacts,
    field('checkbox', 'has_alarm', 'The business has an alarm'),
    field('text', 'alarm', 'Alarm permit number', {
      maxLength: 40,
      showWhen: whenAll({ filled: [{ var: 'has_alarm' }] }),
    }),
    consent('First responders may see the contacts and the alarm permit listed for this address.'),
  ),
  alerts,
]

const rental: FormStep[] = [
  step(
    'property',
    'The property',
    '',
    field('text', 'property_name', 'Property name', {
      ...must,
      help: 'Enter the name that tenants use, or the street address.',
      maxLength: 120,
    }),
    field('text', 'owner_name', 'Owner', { ...must, prefill: 'full_name', maxLength: 120 }),
    field('choice', 'managed_by', 'Managed by', { ...must, ...codes(1, 'Owner', 'Manager') }),
    field('text', 'manager_name', 'Manager', {
      ...must,
      maxLength: 120,
      showWhen: whenAll({ '==': [{ var: 'managed_by' }, '2'] }),
    }),
    field('text', 'license', 'Rental license number', { maxLength: 40 }),
  ),
  step(
    'units',
    'Units and tenants',
    'Add one row for each unit. Leave the tenant blank if a unit is vacant.',
    field('table', 'units', 'Units', {
      ...must,
      row: 'unit',
      min: 1,
      max: 100,
      columns: [
        column('text', 'unit', 'Unit', { ...must, maxLength: 20 }),
        column('number', 'bedrooms', 'Bedrooms', { max: 20 }),
        column('text', 'tenant', 'Tenant', { maxLength: 120 }),
        column('phone', 'phone', "Tenant's phone"),
      ],
    }),
  ),
  step('contacts', 'Contacts', '', contacts, consent('First responders may see the contacts listed for this address.')),
  alerts,
]

export const firstDefinitions: Readonly<Record<Kind, Definition>> = {
  1: { steps: household },
  2: { steps: business },
  3: { steps: rental },
}
