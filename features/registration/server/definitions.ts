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
/** Builds options with codes of the specification, numbered from `from`. */
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
  'What you want to be told',
  'You can change this whenever you like.',
  field('choices', 'alerts', 'Tell me of', {
    options: [
      { value: 'a', label: 'Alerts of the town' },
      { value: 'p', label: 'Permits and inspections' },
      { value: 'm', label: 'Moving in and out' },
      { value: 'r', label: 'My registrations' },
      { value: 'f', label: 'Forms and documents' },
      { value: '$', label: 'Payments' },
    ],
  }),
)

const contacts: Field = field('table', 'contacts', 'Who is called in an emergency, at night too', {
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
  help: 'Without it nobody but the registration office reads this. You can change it at any time.',
}
const consent = (label: string): Field => field('checkbox', 'consent', label, CONSENT)

const household: FormStep[] = [
  step(
    'home',
    'Your household',
    '',
    field('text', 'household_name', 'Name of the household', { ...must, help: 'Such as: Whitaker', maxLength: 80 }),
    { ...ownedOrRented, required: true },
    field('phone', 'phone', 'Phone', { prefill: 'phone' }),
    field('email', 'email', 'Email', { prefill: 'email' }),
  ),
  step(
    'people',
    'Who lives here',
    'Everybody who sleeps here most nights, you first.',
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
      help: 'A crew that knows of a dog behind the door is safer, and so is the dog.',
      max: 10,
      columns: [
        column('text', 'name', 'Name', { ...must, maxLength: 40 }),
        column('text', 'animal', 'Animal', { ...must, maxLength: 40 }),
        column('checkbox', 'licensed', 'Has a license'),
      ],
    }),
  ),
  step(
    'emergency',
    'In an emergency',
    'What would help somebody who comes to help you.',
    field('choices', 'needs', 'Somebody here', {
      options: [
        { value: 'walk', label: 'cannot walk, or uses a wheelchair' },
        { value: 'oxygen', label: 'uses oxygen' },
        { value: 'power', label: 'depends on a machine that needs power' },
        { value: 'hear', label: 'does not hear' },
        { value: 'see', label: 'does not see' },
        { value: 'memory', label: 'may be confused or afraid' },
      ],
    }),
    field('text', 'needs_words', 'Anything else that helps', { long: true, maxLength: 500 }),
    field('text', 'key_holder', 'Who has a key', { help: 'A name and a phone number', maxLength: 120 }),
    consent('First responders may see the people, pets, needs and key holder of this address.'),
  ),
  alerts,
]

const business: FormStep[] = [
  step(
    'business',
    'Your business',
    '',
    field('text', 'business_name', 'Name of the business', { ...must, maxLength: 120 }),
    field('choice', 'ownership', 'Ownership', {
      ...must,
      ...codes(1, 'Sole Proprietor', 'Partnership', 'Limited Liability Company', 'Corporation', 'Other'),
    }),
    field('choice', 'position', 'Your position', {
      ...must,
      ...codes(1, 'Owner', 'Managing Partner', 'Chief Executive'),
    }),
    field('text', 'trade', 'What the business does', { ...must, maxLength: 120 }),
    field('text', 'license', 'License number', { help: 'If the town or the state has given one', maxLength: 40 }),
    field('number', 'employees', 'How many people work here', { max: 100_000 }),
    { ...ownedOrRented, required: true },
  ),
  step(
    'hours',
    'Hours and contacts',
    '',
    field('text', 'hours', 'Opening hours', { help: 'Such as: Monday to Friday, 9 AM to 5 PM', maxLength: 200 }),
    contacts,
    field('checkbox', 'has_alarm', 'There is an alarm'),
    field('text', 'alarm', 'Alarm permit number', {
      maxLength: 40,
      showWhen: whenAll({ filled: [{ var: 'has_alarm' }] }),
    }),
    consent('First responders may see the contacts and the alarm permit of this address.'),
  ),
  alerts,
]

const rental: FormStep[] = [
  step(
    'property',
    'The property',
    '',
    field('text', 'property_name', 'Name of the property', {
      ...must,
      help: 'As tenants call it, or its street and number',
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
    'One row for each unit. An empty unit stays without a tenant.',
    field('table', 'units', 'Units', {
      ...must,
      row: 'unit',
      min: 1,
      max: 100,
      columns: [
        column('text', 'unit', 'Unit', { ...must, maxLength: 20 }),
        column('number', 'bedrooms', 'Bedrooms', { max: 20 }),
        column('text', 'tenant', 'Tenant', { maxLength: 120 }),
        column('phone', 'phone', 'Phone of the tenant'),
      ],
    }),
  ),
  step('contacts', 'Contacts', '', contacts, consent('First responders may see the contacts of this address.')),
  alerts,
]

export const firstDefinitions: Readonly<Record<Kind, Definition>> = {
  1: { steps: household },
  2: { steps: business },
  3: { steps: rental },
}
