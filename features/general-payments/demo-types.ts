import type { Random } from '../../database/random.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition, Field, FieldOf, Term } from '../../shared/fields/definition.ts'
import type { TypeForm } from './rules.ts'
import type { PaymentTypeState } from './states.ts'

/** Payment type of a demo company, with the data for its sample payments. */
export interface DemoType {
  form: Pick<TypeForm, 'title' | 'category' | 'description' | 'glAccount'> & Partial<TypeForm>
  status: PaymentTypeState
  fields: Field[]
  /** Returns sample answers. */
  answer: (random: Random) => Record<string, string | number | boolean>
  /** Number of payments in the last year, and the months of these payments (1 is January). */
  paid: number
  months?: readonly number[]
  /** Range of available numbers: the first number and the count. */
  stock?: readonly [first: number, count: number]
  /** Number of open items to create. Some of them are paid later. */
  items?: number
  openCents?: readonly number[]
}

const label = <F extends Field>(field: F, labelText: string, more: Partial<F> = {}): F => ({
  ...field,
  label: labelText,
  required: true,
  ...more,
})
const text = (name: string, labelText: string, more: Partial<FieldOf<'text'>> = {}) =>
  label(blankField('text', name), labelText, { maxLength: 80, ...more })
const whole = (name: string, labelText: string, min: number, max: number) =>
  label(blankField('number', name), labelText, { min, max })
const choose = (name: string, labelText: string, labels: Readonly<Record<string, string>>) =>
  label(blankField('choice', name), labelText, {
    options: Object.entries(labels).map(([value, optionLabel]) => ({ value, label: optionLabel })),
  })
const sum = (name: string, labelText: string, ...terms: Term[]) =>
  label(blankField('computed', name), labelText, { required: false, charged: true, terms: { '+': terms } })
const when = (name: string, value: string, cents: number): Term => ({
  if: [{ '==': [{ var: name }, value] }, { cents }, 0],
})

export const definitionOf = (fields: Field[]): Definition => ({
  steps: [{ ...blankStep('questions'), fields }],
})

const dogNames = ['Rex', 'Bella', 'Luna', 'Max', 'Daisy', 'Cooper', 'Rosie', 'Tucker', 'Maggie', 'Duke', 'Ruby', 'Otis']
const breeds = ['Beagle', 'Boxer', 'Collie', 'Labrador', 'Poodle', 'Terrier', 'Mixed breed', 'Dachshund']
const streets = ['Sycamore Lane', 'Church Street', 'Quarry Road', 'Canal Street', 'Linden Avenue', 'Mill Road']
const streetAddress = (random: Random) => `${random.int(1, 420)} ${random.pick(streets)}`
const nothing = () => ({})

const dogLicense = (cents: { fixed: number; not: number }): DemoType['fields'] => [
  text('dog', 'Name of the dog', { maxLength: 40 }),
  text('breed', 'Breed', { maxLength: 40 }),
  choose('neutered', 'Is the dog spayed or neutered?', { yes: 'Yes', no: 'No' }),
  label(blankField('file', 'rabies'), 'Rabies certificate', {
    required: false,
    help: 'A photo of it is enough. We need it before we mail the tag.',
    accept: 'documents',
    maxFiles: 1,
    maxMegabytes: 10,
  }),
  sum('fee', 'License fee', when('neutered', 'yes', cents.fixed), when('neutered', 'no', cents.not)),
]
const dog = (random: Random) => ({
  dog: random.pick(dogNames),
  breed: random.pick(breeds),
  neutered: random.chance(0.8) ? 'yes' : 'no',
})

const mapleGrove: readonly DemoType[] = [
  {
    form: {
      title: 'Property tax',
      category: 'taxes',
      description: 'The borough’s real estate tax of this year. Have your notice ready.',
      glAccount: '301.100',
      amountKind: 'listed',
      itemLabel: 'Parcel number',
      inParts: true,
    },
    status: 'open',
    fields: [],
    answer: nothing,
    paid: 0,
    items: 750,
  },
  {
    form: {
      title: 'Dog license',
      category: 'licenses',
      description: 'Each dog of three months or more needs a license and wears its tag. The tag comes by mail.',
      glAccount: '321.900',
      amountKind: 'computed',
      numberLabel: 'Tag number',
    },
    status: 'open',
    fields: dogLicense({ fixed: 8_50, not: 13_50 }),
    answer: dog,
    paid: 170,
    months: [1, 1, 1, 2, 2, 3, 4, 6, 9, 12],
    stock: [1001, 600],
  },
  {
    form: {
      title: 'Building permit fee',
      category: 'permits',
      description: 'The fee for a permit that the code office approved. The permit number is in our letter.',
      glAccount: '362.410',
      amountKind: 'computed',
    },
    status: 'open',
    fields: [
      text('permit', 'Permit number', { maxLength: 20 }),
      choose('work', 'Kind of work', { deck: 'Deck or porch', roof: 'Roof', addition: 'Addition', other: 'Other' }),
      whole('inspections', 'Inspections', 1, 12),
      sum(
        'fee',
        'Permit fee',
        { cents: 45_00 },
        { times: [{ var: 'inspections' }, 35_00] },
        when('work', 'addition', 120_00),
      ),
    ],
    answer: (random) => ({
      permit: `BP-${random.int(1000, 9999)}`,
      work: random.pick(['deck', 'roof', 'addition', 'other']),
      inspections: random.int(1, 4),
    }),
    paid: 80,
  },
  {
    form: {
      title: 'Business license',
      category: 'licenses',
      description: 'For each business within the borough, every year.',
      glAccount: '321.300',
      amountKind: 'computed',
    },
    status: 'open',
    fields: [
      text('business', 'Name of the business'),
      whole('employees', 'Employees', 0, 500),
      choose('alcohol', 'Is alcohol sold?', { yes: 'Yes', no: 'No' }),
      sum(
        'fee',
        'License fee',
        { cents: 75_00 },
        { times: [{ var: 'employees' }, 5_00] },
        when('alcohol', 'yes', 100_00),
      ),
    ],
    answer: (random) => ({
      business: `${random.pick(['Keystone', 'Canal Side', 'Blue Ridge', 'Market Square', 'Linden'])} ${random.pick(['Bakery', 'Dental', 'Auto Repair', 'Books', 'Landscaping', 'Salon'])}`,
      employees: random.int(0, 24),
      alcohol: 'no',
    }),
    paid: 48,
    months: [1, 1, 2, 12],
  },
  {
    form: {
      title: 'Trash stickers',
      category: 'works',
      description: 'A sticker for each bag beyond the first two. We mail stickers the next working day.',
      glAccount: '364.300',
      amountKind: 'computed',
    },
    status: 'open',
    fields: [
      text('address', 'Address for the stickers'),
      whole('stickers', 'Stickers', 1, 50),
      sum('price', 'Stickers at $3.00', { times: [{ var: 'stickers' }, 3_00] }),
    ],
    answer: (random) => ({ address: streetAddress(random), stickers: random.pick([2, 4, 5, 5, 10, 10, 20]) }),
    paid: 210,
  },
  {
    form: {
      title: 'Pool pass',
      category: 'recreation',
      description: 'The season runs from Memorial Day to Labor Day.',
      glAccount: '367.200',
      amountKind: 'computed',
      numberLabel: 'Pass number',
    },
    status: 'closed',
    fields: [
      choose('pass', 'Pass', { adult: 'One adult', child: 'One child', family: 'Family' }),
      sum(
        'price',
        'Season pass',
        when('pass', 'adult', 85_00),
        when('pass', 'child', 55_00),
        when('pass', 'family', 190_00),
      ),
    ],
    answer: (random) => ({ pass: random.weighted({ adult: 0.25, child: 0.2, family: 0.55 }) }),
    paid: 140,
    months: [5, 5, 6, 6, 7],
    stock: [1, 400],
  },
  {
    form: {
      title: 'Record copies',
      category: 'records',
      description: 'Copies that you asked for under the Right-to-Know Law, at 25 cents a page.',
      glAccount: '341.000',
      amountKind: 'computed',
      seenBy: 'signed_in',
    },
    status: 'open',
    fields: [
      text('request', 'Number of your request', { maxLength: 20 }),
      whole('pages', 'Pages', 1, 2000),
      sum('price', 'Copies at $0.25', { times: [{ var: 'pages' }, 25] }),
    ],
    answer: (random) => ({ request: `RTK-${random.int(100, 999)}`, pages: random.int(8, 160) }),
    paid: 22,
  },
  {
    form: {
      title: 'Shade tree donation',
      category: 'donations',
      description: 'Each gift plants trees along our streets. Thank you!',
      glAccount: '387.000',
      amountKind: 'open',
      minCents: 5_00,
      maxCents: 5000_00,
    },
    status: 'open',
    fields: [text('honor', 'In honor of', { required: false })],
    answer: (random): Record<string, string> =>
      random.chance(0.4) ? { honor: random.pick(['Grandma June', 'Coach Miller', 'our parents']) } : {},
    paid: 35,
    openCents: [10_00, 25_00, 25_00, 50_00, 100_00, 250_00],
  },
  {
    form: {
      title: 'Fire inspection',
      category: 'safety',
      description: 'The yearly inspection of a business, as stated in the letter that we sent you.',
      glAccount: '362.600',
      amountKind: 'fixed',
      amountCents: 75_00,
      seenBy: 'link',
    },
    status: 'open',
    fields: [text('business', 'Name of the business'), text('address', 'Address of the business')],
    answer: (random) => ({
      business: random.pick(['Corner Diner', 'Keystone Bakery', 'Hoover Hardware', 'Lee Nails', 'Grove Motel']),
      address: streetAddress(random),
    }),
    paid: 55,
  },
  {
    form: {
      title: 'Block party barricades',
      category: 'works',
      description: 'Six barricades for a street that we closed for you. Return the barricades the next working day.',
      glAccount: '322.500',
      amountKind: 'fixed',
      amountCents: 10_00,
      numberLabel: 'Set number',
    },
    status: 'open',
    fields: [text('address', 'Address of the party'), label(blankField('date', 'day'), 'Day of the party')],
    answer: (random) => ({ address: streetAddress(random), day: `2026-0${random.int(5, 9)}-${random.int(10, 28)}` }),
    paid: 65,
    months: [4, 5, 5, 6, 7, 8, 9],
    stock: [201, 500],
  },
  {
    form: {
      title: 'Food truck permit',
      category: 'permits',
      description: 'For a season on Market Square. The council decides on the fee in January.',
      glAccount: '321.800',
      amountKind: 'fixed',
      amountCents: 250_00,
    },
    status: 'draft',
    fields: [],
    answer: nothing,
    paid: 0,
  },
]

const harborCity: readonly DemoType[] = [
  {
    form: {
      title: 'Real property tax',
      category: 'taxes',
      description: 'Find your bill by its account number and the code next to the bar code.',
      glAccount: '4100-10',
      amountKind: 'listed',
      itemLabel: 'Account number',
      proof: 'code',
    },
    status: 'open',
    fields: [],
    answer: nothing,
    paid: 0,
    items: 190,
  },
  {
    form: {
      title: 'Boat slip, winter',
      category: 'recreation',
      description: 'A slip at the city dock from November to March.',
      glAccount: '4420-30',
      amountKind: 'computed',
      numberLabel: 'Slip',
    },
    status: 'open',
    fields: [
      text('boat', 'Name of the boat', { maxLength: 40 }),
      whole('feet', 'Length in feet', 10, 60),
      sum('price', 'Slip at $14.00 a foot', { times: [{ var: 'feet' }, 14_00] }),
    ],
    answer: (random) => ({
      boat: random.pick(['Osprey', 'Second Wind', 'Miss Ellie', 'Tern']),
      feet: random.int(16, 42),
    }),
    paid: 29,
    months: [10, 10, 11],
    stock: [1, 60],
  },
  {
    form: {
      title: 'Dog license',
      category: 'licenses',
      description: 'Licenses run from July to June.',
      glAccount: '4210-05',
      amountKind: 'computed',
      numberLabel: 'Tag number',
    },
    status: 'open',
    fields: dogLicense({ fixed: 12_00, not: 25_00 }),
    answer: dog,
    paid: 60,
    months: [6, 7, 7, 8],
    stock: [5001, 400],
  },
  {
    form: {
      title: 'Residential parking pass',
      category: 'other',
      description: 'For the blocks around Wharf Square. One pass for each car.',
      glAccount: '4330-12',
      amountKind: 'fixed',
      amountCents: 40_00,
      numberLabel: 'Pass',
      seenBy: 'signed_in',
    },
    status: 'open',
    fields: [text('plate', 'License plate', { maxLength: 10 })],
    answer: (random) => ({
      plate: `${random.int(1, 9)}${random.pick(['AB', 'CK', 'DR', 'EM'])}${random.int(1000, 9999)}`,
    }),
    paid: 70,
    stock: [100, 300],
  },
  {
    form: {
      title: 'Library donation',
      category: 'donations',
      description: 'Books for the children’s room.',
      glAccount: '4900-01',
      amountKind: 'open',
      minCents: 1_00,
    },
    status: 'closed',
    fields: [],
    answer: nothing,
    paid: 20,
    openCents: [5_00, 10_00, 20_00, 50_00],
  },
]

export const demoTypes: Readonly<Record<string, readonly DemoType[]>> = {
  maplegrove: mapleGrove,
  harborcity: harborCity,
}
