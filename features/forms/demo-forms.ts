import type { Random } from '../../database/random.ts'
import { blankColumn, blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition, Field, FieldOf, Term } from '../../shared/fields/definition.ts'
import type { TypeForm } from './rules.ts'

/** Twenty realistic municipal forms. They use only fields of the form builder and need no additional code. */

interface DemoField {
  field: Field
  /** Returns a sample value for the field. */
  sample: (random: Random) => unknown
}

export interface DemoForm {
  form: Pick<TypeForm, 'title' | 'category' | 'description'> & Partial<TypeForm>
  /** Part of the name of the responsible department. */
  department: string
  definition: Definition
  /** Returns sample answers. */
  answer: (random: Random) => Record<string, unknown>
  /** Submissions per year. */
  sent: number
}

const REQUIRED = { required: true }
const required = <F extends Field>(
  field: F,
  label: string,
  sample: DemoField['sample'],
  more: Partial<F> = {},
): DemoField => ({
  field: { ...field, ...REQUIRED, label, ...more },
  sample,
})
const from =
  (samples: readonly unknown[]): DemoField['sample'] =>
  (random) =>
    random.pick(samples)

const text = (name: string, label: string, samples: readonly string[], more: Partial<FieldOf<'text'>> = {}) =>
  required(blankField('text', name), label, from(samples), { maxLength: 200, ...more })
const long = (name: string, label: string, samples: readonly string[], more: Partial<FieldOf<'text'>> = {}) =>
  text(name, label, samples, { long: true, maxLength: 2000, ...more })
const whole = (name: string, label: string, min: number, max: number, more: Partial<FieldOf<'number'>> = {}) =>
  required(blankField('number', name), label, (random) => random.int(min, Math.min(max, min + 60)), {
    min,
    max,
    ...more,
  })
const choose = (
  name: string,
  label: string,
  labels: Readonly<Record<string, string>>,
  more: Partial<FieldOf<'choice'>> = {},
) =>
  required(blankField('choice', name), label, from(Object.keys(labels)), {
    options: Object.entries(labels).map(([value, label]) => ({ value, label })),
    ...more,
  })
const several = (name: string, label: string, labels: Readonly<Record<string, string>>) =>
  required(
    blankField('choices', name),
    label,
    (random) => Object.keys(labels).filter((_value, at) => at === 0 || random.chance(0.4)),
    { options: Object.entries(labels).map(([value, label]) => ({ value, label })), min: 1 },
  )
const yes = (name: string, label: string, more: Partial<FieldOf<'choice'>> = {}) =>
  choose(name, label, { yes: 'Yes', no: 'No' }, more)
const day = (name: string, label: string, more: Partial<FieldOf<'date'>> = {}) =>
  required(
    blankField('date', name),
    label,
    (random) => `2030-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
    more,
  )
const past = (name: string, label: string) =>
  required(
    blankField('date', name),
    label,
    (random) => `2024-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`,
    { latest: 'today' },
  )
const money = (name: string, label: string, min: number, max: number) =>
  required(blankField('money', name), label, (random) => `${random.int(min, max)}.00`, { min: 0 })
const streets = [
  'Sycamore Lane',
  'Church Street',
  'Quarry Road',
  'Canal Street',
  'Linden Avenue',
  'Mill Road',
  'Elm Street',
]
const somewhere: DemoField['sample'] = (random) => ({
  ...{ address1: `${random.int(1, 420)} ${random.pick(streets)}`, address2: '' },
  ...{ city: 'Maple Grove', state: 'PA', zipcode: '17011' },
})
const address = (name: string, label: string, more: Partial<FieldOf<'address'>> = {}) =>
  required(blankField('address', name), label, somewhere, { prefill: 'address', ...more })
const phone = (name: string, label: string) =>
  required(blankField('phone', name), label, (random) => `717555${String(random.int(0, 9999)).padStart(4, '0')}`)
const tick = (name: string, label: string) => required(blankField('checkbox', name), label, () => true)
const file = (name: string, label: string, help: string, accept: 'images' | 'documents' = 'documents') =>
  required(blankField('file', name), label, () => undefined, { required: false, help, accept })
const sign = (label = 'Your signature') =>
  required(blankField('signature', 'signature'), label, (random) => ({
    typed: random.pick(['Ruth Alvarez', 'James Porter', 'Maria Chen', 'Thomas Bell', 'Grace Okafor']),
  }))
const read = (name: string, content: string): DemoField => ({
  field: { ...blankField('reading', name), label: 'Please read', text: content },
  sample: () => undefined,
})
const fee = (label: string, ...terms: Term[]) =>
  required(blankField('computed', 'fee'), label, () => undefined, {
    required: false,
    charged: true,
    terms: { '+': terms },
  })
const only = (field: DemoField, name: string, value: string): DemoField => ({
  ...field,
  field: { ...field.field, showWhen: { and: [{ '==': [{ var: name }, value] }] } },
})
const when = (name: string, value: string, cents: number): Term => ({
  if: [{ '==': [{ var: name }, value] }, { cents }, 0],
})

type StepOf = [id: string, title: string, ...requestedInfo: DemoField[]]
function built(...steps: StepOf[]): Pick<DemoForm, 'definition' | 'answer'> {
  const fields = steps.flatMap(([, , ...of]) => of)
  return {
    definition: {
      steps: steps.map(([id, title, ...of]) => ({ ...blankStep(id), title, fields: of.map(({ field }) => field) })),
    },
    answer: (random) =>
      Object.fromEntries(
        fields.flatMap(({ field, sample }) => {
          const value = sample(random)
          return value === undefined ? [] : [[field.name, value]]
        }),
      ),
  }
}

const names = ['Ruth Alvarez', 'James Porter', 'Maria Chen', 'Thomas Bell', 'Grace Okafor', 'Henry Walsh', 'Nina Patel']
const firms = [
  'Bright Day Bakery',
  'Porter & Sons Plumbing',
  'Green Leaf Landscaping',
  'Corner Books',
  'Valley Auto Repair',
  'Blue Door Studio',
]
const dogs = ['Rex', 'Bella', 'Luna', 'Max', 'Daisy', 'Cooper', 'Rosie', 'Tucker']
const breeds = ['Beagle', 'Boxer', 'Collie', 'Labrador', 'Poodle', 'Mixed breed']

export const demoForms: readonly DemoForm[] = [
  {
    form: {
      ...{
        title: 'Business license',
        category: 'licenses',
        description: 'For everyone who runs a business in town. Renew it each year.',
      },
      ...{ feeKind: 'computed', glAccount: '321.10', issues: 'Business license', validMonths: 12 },
    },
    ...{ department: 'Finance', sent: 66 },
    ...built(
      [
        'business',
        'The business',
        text('business', 'Name of the business', firms),
        choose('ownership', 'Ownership', {
          sole: 'Sole proprietor',
          partnership: 'Partnership',
          llc: 'Limited liability company',
          corporation: 'Corporation',
        }),
        address('location', 'Address of the business', { prefill: null }),
        text('trade', 'What does it do?', [
          'Sells bread and cake',
          'Repairs cars',
          'Plumbing',
          'Landscaping',
          'Sells books',
        ]),
        past('since', 'In business since'),
      ],
      [
        'people',
        'People',
        whole('employees', 'Employees', 0, 500),
        required(blankField('table', 'owners'), 'Owners', (random) => [{ name: random.pick(names), share: 100 }], {
          columns: [
            { ...blankColumn('text', 'name'), ...REQUIRED, label: 'Name' },
            { ...blankColumn('number', 'share'), label: 'Share in percent', max: 100 },
          ],
          ...{ min: 1, max: 6 },
        }),
        phone('emergency', 'Phone in an emergency'),
      ],
      [
        'send',
        'Fee and signature',
        yes('alcohol', 'Is alcohol sold?'),
        only(
          text('permit', 'Number of the state’s liquor license', ['R-10442', 'R-20911', 'E-3301']),
          'alcohol',
          'yes',
        ),
        fee('License fee', { cents: 7500 }, { times: [{ var: 'employees' }, 500] }, when('alcohol', 'yes', 10_000)),
        sign(),
      ],
    ),
  },
  {
    form: {
      ...{
        title: 'Parade permit',
        category: 'events',
        description: 'For a parade, a run or a march on public streets. A route has one permit a day.',
      },
      ...{
        limitFields: ['route', 'day'],
        maxSame: 1,
        feeKind: 'fixed',
        feeCents: 5000,
        glAccount: '322.80',
        issues: 'Parade permit',
        validMonths: 1,
      },
    },
    ...{ department: 'Police', sent: 18 },
    ...built(
      [
        'event',
        'The event',
        text('event', 'What is it called?', ['Memorial Day Parade', 'Turkey Trot', 'Homecoming March', 'Spring 5K']),
        day('day', 'Day', { earliest: 'today' }),
        choose('route', 'Route', { main: 'Main Street', river: 'River Walk', square: 'Around the Square' }),
        text('hours', 'Start and end time', ['9 am to 11 am', '10 am to noon', '5 pm to 7 pm']),
      ],
      [
        'safety',
        'Safety',
        whole('people', 'People who take part', 10, 5000),
        whole('marshals', 'Marshals', 2, 200),
        yes('animals', 'Are there animals or floats?'),
        file('insurance', 'Certificate of insurance', 'At least $1,000,000, with the town as additional insured.'),
        sign(),
      ],
    ),
  },
  {
    form: {
      ...{ title: 'Dog license', category: 'licenses', description: 'Each dog over three months needs one.' },
      ...{ feeKind: 'computed', glAccount: '321.30', issues: 'Dog license', validMonths: 12 },
    },
    ...{ department: 'Finance', sent: 143 },
    ...built([
      'dog',
      'The dog',
      text('dog', 'Name of the dog', dogs),
      text('breed', 'Breed', breeds),
      choose('sex', 'Sex', { female: 'Female', male: 'Male' }),
      yes('neutered', 'Is the dog spayed or neutered?'),
      past('rabies', 'Last rabies vaccination'),
      file('proof', 'Rabies certificate', 'A photo of it is enough.'),
      fee('License fee', { cents: 850 }, when('neutered', 'no', 500)),
    ]),
  },
  {
    form: {
      ...{
        title: 'Rental registration application',
        category: 'property',
        description: 'For each dwelling that you rent out. An inspection follows.',
      },
      ...{ cosigned: true, feeKind: 'computed', glAccount: '321.60', issues: 'Rental license', validMonths: 12 },
    },
    ...{ department: 'Code', sent: 50 },
    ...built(
      [
        'location',
        'The property',
        address('location', 'Address of the property', { prefill: null }),
        whole('units', 'Units', 1, 80),
        whole('built', 'Built in', 1900, 2026),
        yes('alarms', 'Are there smoke alarms in each bedroom?'),
      ],
      [
        'owner',
        'The owner',
        text('owner', 'Owner', names, { prefill: 'full_name' }),
        address('lives', 'Address of the owner'),
        yes('manager', 'Does someone manage the property for you?'),
        only(text('managed_by', 'Manager', names), 'manager', 'yes'),
      ],
      ['fee', 'Fee', fee('Registration fee', { cents: 2500 }, { times: [{ var: 'units' }, 3000] }), sign()],
    ),
  },
  {
    form: {
      title: 'Backflow test report',
      category: 'utilities',
      description: 'For licensed testers: the yearly test of a backflow preventer.',
    },
    ...{ department: 'Water', sent: 99 },
    ...built(
      [
        'device',
        'The device',
        address('location', 'Where it is', { prefill: null }),
        choose('kind', 'Type', { rp: 'Reduced pressure', dc: 'Double check', pvb: 'Pressure vacuum breaker' }),
        text('serial', 'Serial number', ['W-88213', 'F-10992', 'Z-45510', 'A-20077']),
        whole('size', 'Size in tenths of an inch', 5, 120),
      ],
      [
        'test',
        'The test',
        past('tested', 'Day of the test'),
        required(blankField('number', 'first'), 'First check valve, psi', (random) => random.int(10, 90) / 10, {
          min: 0,
          max: 200,
          decimals: 1,
        }),
        yes('passed', 'Did it pass?'),
        only(
          long('repair', 'What was repaired?', ['Replaced the first check', 'Cleaned the relief valve']),
          'passed',
          'no',
        ),
        text('tester', 'License number of the tester', ['BT-4411', 'BT-2093', 'BT-7718']),
        sign('Signature of the tester'),
      ],
    ),
  },
  {
    form: {
      ...{
        title: 'Block party',
        category: 'events',
        description: 'Closes your block for an afternoon with your neighbors.',
      },
      ...{ limitFields: ['street', 'day'], maxSame: 1, issues: 'Block party permit', validMonths: 1 },
    },
    ...{ department: 'Public Works', sent: 33 },
    ...built(
      [
        'party',
        'The party',
        choose('street', 'Street', {
          elm: 'Elm Street',
          oak: 'Oak Street',
          linden: 'Linden Avenue',
          mill: 'Mill Road',
        }),
        text('between', 'Between which streets?', ['First and Second', 'Canal and Church']),
        day('day', 'Day', { earliest: 'today' }),
        text('hours', 'Start and end time', ['Noon to 6 pm', '3 pm to 9 pm']),
        whole('guests', 'Guests', 5, 500),
      ],
      [
        'help',
        'What you need',
        several('needs', 'What should we bring?', {
          barriers: 'Barriers',
          bins: 'Trash bins',
          fire: 'A visit from the fire engine',
        }),
        tick('neighbors', 'Everyone on the block knows about the party and agrees.'),
      ],
    ),
  },
  {
    form: {
      ...{ title: 'Fence permit', category: 'permits', description: 'For a new fence or a higher fence.' },
      ...{ feeKind: 'fixed', feeCents: 4000, glAccount: '322.10', issues: 'Fence permit', validMonths: 12 },
    },
    ...{ department: 'Code', sent: 61 },
    ...built([
      'fence',
      'The fence',
      address('location', 'Where'),
      choose('material', 'Material', { wood: 'Wood', vinyl: 'Vinyl', chain: 'Chain link', iron: 'Iron' }),
      required(blankField('number', 'height'), 'Height in feet', (random) => random.int(3, 8), {
        min: 1,
        max: 12,
        decimals: 1,
      }),
      whole('length', 'Length in feet', 4, 2000),
      yes('corner', 'Is it a corner lot?'),
      file('plan', 'Plan', 'A sketch with the distances to the lot lines.'),
      tick('lines', 'I know where my lot lines are.'),
    ]),
  },
  {
    form: {
      title: 'Records request',
      category: 'records',
      description: 'Ask for public records under the Right-to-Know Law. We answer within five working days.',
    },
    ...{ department: 'Clerk', sent: 82 },
    ...built([
      'records',
      'What you ask for',
      long('records', 'Which records?', [
        'Council minutes from March',
        'The building permit of 12 Mill Road',
        'Bids for the salt shed',
        'The police report on an accident on Canal Street',
      ]),
      past('from', 'From'),
      choose('how', 'How do you want them?', {
        email: 'By email',
        paper: 'On paper',
        look: 'I will view them in person',
      }),
      only(whole('copies', 'Maximum number of pages', 1, 500), 'how', 'paper'),
      yes('certified', 'Do you need certified copies?'),
    ]),
  },
  {
    form: {
      ...{
        title: 'Sign permit',
        category: 'permits',
        description: 'For a sign on a building, on a pole or in a window.',
      },
      ...{ feeKind: 'computed', glAccount: '322.20', issues: 'Sign permit' },
    },
    ...{ department: 'Code', sent: 25 },
    ...built([
      'sign',
      'The sign',
      text('business', 'Business', firms),
      address('location', 'Where', { prefill: null }),
      choose('kind', 'Kind', { wall: 'On a wall', pole: 'On a pole', window: 'In a window' }),
      whole('area', 'Area in square feet', 1, 200),
      yes('lit', 'Is it lit?'),
      file('drawing', 'Drawing', 'With measurements and colors.'),
      fee('Permit fee', { cents: 3500 }, { times: [{ var: 'area' }, 100] }, when('lit', 'yes', 2500)),
    ]),
  },
  {
    form: {
      ...{ title: 'Yard sale permit', category: 'permits', description: 'Free, twice a year for each household.' },
      ...{ maxEach: 2, eachDays: 365, issues: 'Yard sale permit', validMonths: 1 },
    },
    ...{ department: 'Clerk', sent: 77 },
    ...built([
      'sale',
      'The sale',
      address('location', 'Where'),
      day('day', 'First day', { earliest: 'today' }),
      choose('days', 'How many days?', { one: 'One', two: 'Two', three: 'Three' }),
      tick('signs', 'I take my signs down the same evening.'),
    ]),
  },
  {
    form: {
      ...{
        title: 'Street closing',
        category: 'permits',
        description: 'For construction, moving vans or an event that needs a closed street.',
      },
      ...{
        limitFields: ['street', 'day'],
        maxSame: 1,
        feeKind: 'computed',
        glAccount: '322.40',
        issues: 'Street closing permit',
        validMonths: 1,
      },
    },
    ...{ department: 'Public Works', sent: 26 },
    ...built([
      'closing',
      'The closing',
      text('street', 'Street', streets),
      day('day', 'Day', { earliest: 'today' }),
      whole('hours', 'Hours', 1, 72),
      choose('why', 'Why?', { works: 'Works', moving: 'Moving', event: 'Event', other: 'Other' }),
      only(long('other', 'Why exactly?', ['A film is shot', 'A crane is set up']), 'why', 'other'),
      yes('detour', 'Is there a detour?'),
      fee('Fee', { cents: 2500 }, { times: [{ var: 'hours' }, 500] }),
    ]),
  },
  {
    form: {
      title: 'Tree removal',
      category: 'property',
      description: 'Before a tree on or near the street is cut.',
      issues: 'Tree removal permit',
      validMonths: 6,
    },
    ...{ department: 'Public Works', sent: 41 },
    ...built([
      'tree',
      'The tree',
      address('location', 'Where'),
      text('kind', 'What tree is it?', ['Oak', 'Silver maple', 'Ash', 'White pine']),
      whole('girth', 'Inches around the trunk', 5, 300),
      several('why', 'Why?', {
        dead: 'It is dead',
        roots: 'Its roots lift the sidewalk',
        wires: 'It reaches into wires',
        build: 'Something is built there',
      }),
      file('photo', 'Photo', 'From the street', 'images'),
      yes('again', 'Will you plant another one?'),
    ]),
  },
  {
    form: {
      ...{ title: 'Solicitor permit', category: 'licenses', description: 'For everyone who sells from door to door.' },
      ...{ feeKind: 'computed', glAccount: '321.70', issues: 'Solicitor permit', validMonths: 3 },
    },
    ...{ department: 'Police', sent: 20 },
    ...built(
      [
        'who',
        'Who you are',
        text('person', 'Full name', names, { prefill: 'full_name' }),
        past('born', 'Date of birth'),
        address('lives', 'Address'),
        phone('phone', 'Phone'),
      ],
      [
        'what',
        'What you sell',
        text('firm', 'For which company?', firms),
        long('goods', 'What is sold?', ['Cookies', 'Windows', 'Solar panels', 'Pest control']),
        whole('people', 'How many of you come?', 1, 20),
        read('hours', 'Selling from door to door is allowed from 9 am to 7 pm, never where a sign says no.'),
        tick('agree', 'I have read this.'),
        fee('Fee', { times: [{ var: 'people' }, 2500] }),
        sign(),
      ],
    ),
  },
  {
    form: {
      ...{
        title: 'Park use',
        category: 'events',
        description: 'For a picnic, a wedding or a game in one of the parks. A pavilion has one group a day.',
      },
      ...{
        limitFields: ['pavilion', 'day'],
        maxSame: 1,
        feeKind: 'computed',
        glAccount: '367.10',
        issues: 'Park permit',
        validMonths: 1,
      },
    },
    ...{ department: 'Parks', sent: 88 },
    ...built([
      'use',
      'What you plan',
      choose('pavilion', 'Where?', {
        north: 'North Pavilion',
        pond: 'Pond Pavilion',
        stage: 'Stage',
        field: 'Ball field',
      }),
      day('day', 'Day', { earliest: 'today' }),
      text('what', 'What is it?', ['Birthday', 'Wedding', 'Family reunion', 'Softball game']),
      whole('people', 'People', 2, 400),
      yes('resident', 'Do you live in town?'),
      yes('alcohol', 'Will there be beer or wine?'),
      fee('Fee', when('resident', 'yes', 4000), when('resident', 'no', 8000), when('alcohol', 'yes', 5000)),
    ]),
  },
  {
    form: {
      title: 'Alarm permit',
      category: 'property',
      description: 'For a burglar or fire alarm that calls someone.',
      feeKind: 'fixed',
      feeCents: 2000,
      glAccount: '321.80',
      issues: 'Alarm permit',
      validMonths: 12,
    },
    ...{ department: 'Police', sent: 38 },
    ...built([
      'alarm',
      'The alarm',
      address('location', 'Where'),
      several('kinds', 'What does it watch?', { burglar: 'Burglars', fire: 'Fire', panic: 'A panic button' }),
      text('monitor', 'Who is called?', ['Keystone Monitoring', 'SafeHome', 'No one, it only rings']),
      required(
        blankField('table', 'keys'),
        'Who has keys?',
        (random) => [{ name: random.pick(names), phone: '7175550144' }],
        {
          columns: [
            { ...blankColumn('text', 'name'), ...REQUIRED, label: 'Name' },
            { ...blankColumn('phone', 'phone'), ...REQUIRED, label: 'Phone' },
          ],
          ...{ min: 1, max: 4 },
        },
      ),
    ]),
  },
  {
    form: {
      title: 'Home occupation',
      category: 'permits',
      description: 'For a business in your own home.',
      issues: 'Home occupation permit',
      validMonths: 24,
    },
    ...{ department: 'Code', sent: 22 },
    ...built([
      'home',
      'Your work at home',
      address('location', 'Your home'),
      long('work', 'What do you do there?', ['Bookkeeping', 'Piano lessons', 'Hair dressing', 'Sewing']),
      whole('area', 'Square feet used for it', 20, 2000),
      whole('visitors', 'Visitors a day', 0, 40),
      yes('staff', 'Does anyone else work there?'),
      only(whole('how_many', 'How many?', 1, 5), 'staff', 'yes'),
      tick('quiet', 'There is no noise or smell outside.'),
    ]),
  },
  {
    form: {
      title: 'Dumpster permit',
      category: 'permits',
      description: 'For a dumpster or a container on the street.',
      feeKind: 'computed',
      glAccount: '322.50',
      issues: 'Dumpster permit',
      validMonths: 1,
    },
    ...{ department: 'Public Works', sent: 47 },
    ...built([
      'dumpster',
      'The dumpster',
      address('location', 'In front of which house?'),
      day('from', 'From', { earliest: 'today' }),
      whole('days', 'Days', 1, 60),
      choose('size', 'Size', { small: 'Up to 10 yards', large: 'Larger' }),
      text('hauler', 'Owner of the dumpster', ['Valley Hauling', 'Green Bin', 'Porter & Sons']),
      fee('Fee', { cents: 1000 }, { times: [{ var: 'days' }, 200] }, when('size', 'large', 1500)),
    ]),
  },
  {
    form: {
      title: 'Sewer lateral inspection',
      category: 'utilities',
      description: 'Needed before a house is sold.',
      feeKind: 'fixed',
      feeCents: 12_500,
      glAccount: '364.20',
      issues: 'Lateral certificate',
      validMonths: 60,
    },
    ...{ department: 'Water', sent: 36 },
    ...built([
      'lateral',
      'The house',
      address('location', 'Which house?', { prefill: null }),
      text('plumber', 'Plumber', ['Porter & Sons Plumbing', 'Keystone Drains']),
      past('filmed', 'Filmed on'),
      choose('material', 'Pipe', { clay: 'Clay', iron: 'Cast iron', pvc: 'PVC' }),
      yes('roots', 'Are there roots or cracks?'),
      only(long('faults', 'Where, and what?', ['Roots at 22 feet', 'A crack under the sidewalk']), 'roots', 'yes'),
      money('price', 'Value of the repair', 0, 9000),
      day('sale', 'Day of the sale'),
    ]),
  },
  {
    form: {
      title: 'Volunteer application',
      category: 'other',
      description: 'Boards, the library, the fire company, a cleanup: tell us what you would like to do.',
    },
    ...{ department: 'Clerk', sent: 30 },
    ...built([
      'you',
      'About you',
      text('person', 'Name', names, { prefill: 'full_name' }),
      phone('phone', 'Phone'),
      several('where', 'Where would you help?', {
        boards: 'Boards and commissions',
        library: 'Library',
        fire: 'Fire company',
        cleanup: 'Cleanups',
      }),
      long('why', 'What would you like to do?', [
        'Read to children',
        'I was a planner for 20 years',
        'Anything outdoors',
      ]),
      whole('hours', 'Hours a month', 1, 100),
      yes('adult', 'Are you 18 or older?'),
      only(text('parent', 'Name of a parent', names), 'adult', 'no'),
    ]),
  },
  {
    form: {
      title: 'Code enforcement complaint',
      category: 'property',
      description: 'High grass, trash, an unsafe building. We keep your name private.',
      maxEach: 10,
      eachDays: 30,
    },
    ...{ department: 'Code', sent: 72 },
    ...built([
      'complaint',
      'What is wrong',
      address('location', 'Where', { prefill: null }),
      choose('what', 'What is it?', {
        grass: 'High grass',
        trash: 'Trash',
        building: 'Unsafe building',
        vehicle: 'Abandoned vehicle',
        noise: 'Noise',
        other: 'Something else',
      }),
      long('words', 'What do you see?', [
        'The grass is two feet high',
        'Trash bags since last week',
        'The porch leans to the street',
        'A car without plates',
      ]),
      past('since', 'Since'),
      file('photo', 'Photo', 'If it is safe to take one', 'images'),
      yes('told', 'Did you speak with the owner?'),
    ]),
  },
]

/** Forms of each demo company. Harbor City is smaller, without fence or yard sale permits. */
export const companyForms: Readonly<Record<string, { titles: (title: string) => boolean; share: number }>> = {
  maplegrove: { titles: () => true, share: 1 },
  harborcity: {
    titles: (title) =>
      !['Fence permit', 'Yard sale permit', 'Sign permit', 'Home occupation', 'Block party', 'Tree removal'].includes(
        title,
      ),
    share: 0.5,
  },
}
