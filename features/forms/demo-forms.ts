import type { Random } from '../../database/random.ts'
import { definitionOf, packEntries } from '../../server/packs.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import type { TypeForm } from './rules.ts'
import { type FormEntry, settingsOf } from './server/pack.ts'

/** Forms of the demo companies: the forms of the starter pack, with sample answers. */

export interface DemoForm {
  form: TypeForm
  /** Part of the name of the responsible department. */
  department: string
  definition: Definition
  /** Returns sample answers. */
  answer: (random: Random) => Record<string, unknown>
  /** Submissions per year. */
  sent: number
}

type Sample = readonly string[] | ((random: Random) => unknown)

interface DemoUse {
  sent: number
  glAccount?: string
  /** Samples of the fields that have no obvious sample. */
  samples: Readonly<Record<string, Sample>>
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
const streets = [
  'Sycamore Lane',
  'Church Street',
  'Quarry Road',
  'Canal Street',
  'Linden Avenue',
  'Mill Road',
  'Elm Street',
]

const uses: Readonly<Record<string, DemoUse>> = {
  'business-license': {
    ...{ sent: 66, glAccount: '321.10' },
    samples: {
      business: firms,
      trade: ['Sells bread and cake', 'Repairs cars', 'Plumbing', 'Landscaping', 'Sells books'],
      owners: (random) => [{ name: random.pick(names), share: 100 }],
      permit: ['R-10442', 'R-20911', 'E-3301'],
    },
  },
  'parade-permit': {
    ...{ sent: 18, glAccount: '322.80' },
    samples: {
      event: ['Memorial Day Parade', 'Turkey Trot', 'Homecoming March', 'Spring 5K'],
      route: ['Main Street', 'River Walk', 'Around the Square'],
      hours: ['9 am to 11 am', '10 am to noon', '5 pm to 7 pm'],
    },
  },
  'dog-license': {
    ...{ sent: 143, glAccount: '321.30' },
    samples: {
      dog: ['Rex', 'Bella', 'Luna', 'Max', 'Daisy', 'Cooper', 'Rosie', 'Tucker'],
      breed: ['Beagle', 'Boxer', 'Collie', 'Labrador', 'Poodle', 'Mixed breed'],
    },
  },
  'rental-registration': {
    ...{ sent: 50, glAccount: '321.60' },
    samples: { built: (random) => random.int(1900, 1960), owner: names, managed_by: names },
  },
  'backflow-test': {
    sent: 99,
    samples: {
      serial: ['W-88213', 'F-10992', 'Z-45510', 'A-20077'],
      first: (random) => random.int(10, 90) / 10,
      repair: ['Replaced the first check', 'Cleaned the relief valve'],
      tester: ['BT-4411', 'BT-2093', 'BT-7718'],
    },
  },
  'block-party': {
    sent: 33,
    samples: {
      street: ['Elm Street', 'Oak Street', 'Linden Avenue', 'Mill Road'],
      between: ['First and Second', 'Canal and Church'],
      hours: ['Noon to 6 pm', '3 pm to 9 pm'],
    },
  },
  'fence-permit': {
    ...{ sent: 61, glAccount: '322.10' },
    samples: { height: (random) => random.int(3, 8) },
  },
  'records-request': {
    sent: 82,
    samples: {
      records: [
        'Council minutes from March',
        'The building permit of 12 Mill Road',
        'Bids for the salt shed',
        'The police report on an accident on Canal Street',
      ],
    },
  },
  'sign-permit': { sent: 25, glAccount: '322.20', samples: { business: firms } },
  'yard-sale': { sent: 77, samples: {} },
  'street-closing': {
    ...{ sent: 26, glAccount: '322.40' },
    samples: { street: streets, other: ['A film is shot', 'A crane is set up'] },
  },
  'tree-removal': { sent: 41, samples: { kind: ['Oak', 'Silver maple', 'Ash', 'White pine'] } },
  'solicitor-permit': {
    ...{ sent: 20, glAccount: '321.70' },
    samples: { person: names, firm: firms, goods: ['Cookies', 'Windows', 'Solar panels', 'Pest control'] },
  },
  'park-use': {
    ...{ sent: 88, glAccount: '367.10' },
    samples: { what: ['Birthday', 'Wedding', 'Family reunion', 'Softball game'] },
  },
  'alarm-permit': {
    ...{ sent: 38, glAccount: '321.80' },
    samples: {
      monitor: ['Keystone Monitoring', 'SafeHome', 'No one, it only rings'],
      keys: (random) => [{ name: random.pick(names), phone: '7175550144' }],
    },
  },
  'home-occupation': { sent: 22, samples: { work: ['Bookkeeping', 'Piano lessons', 'Hair dressing', 'Sewing'] } },
  'dumpster-permit': {
    ...{ sent: 47, glAccount: '322.50' },
    samples: { hauler: ['Valley Hauling', 'Green Bin', 'Porter & Sons'] },
  },
  'sewer-lateral': {
    ...{ sent: 36, glAccount: '364.20' },
    samples: {
      plumber: ['Porter & Sons Plumbing', 'Keystone Drains'],
      faults: ['Roots at 22 feet', 'A crack under the sidewalk'],
      price: (random) => `${random.int(0, 9000)}.00`,
    },
  },
  volunteer: {
    sent: 30,
    samples: {
      ...{ person: names, parent: names },
      why: ['Read to children', 'I was a planner for 20 years', 'Anything outdoors'],
    },
  },
  'code-complaint': {
    sent: 72,
    samples: {
      description: [
        'The grass is two feet high',
        'Trash bags since last week',
        'The porch leans to the street',
        'A car without plates',
      ],
    },
  },
}

const signers = ['Ruth Alvarez', 'James Porter', 'Maria Chen', 'Thomas Bell', 'Grace Okafor']
const dayOf = (year: number, random: Random) =>
  `${year}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`

/** Returns a sample value for a field. Undefined if the field takes none, such as a file. */
function sampleOf(field: Field, random: Random): unknown {
  switch (field.type) {
    case 'choice':
      return random.pick(field.options.map(({ value }) => value))
    case 'choices':
      return field.options.map(({ value }) => value).filter((_value, at) => at === 0 || random.chance(0.4))
    case 'date':
      return dayOf(field.latest === 'today' ? 2024 : 2030, random)
    case 'number':
      return random.int(field.min ?? 0, Math.min(field.max ?? 100, (field.min ?? 0) + 60))
    case 'address':
      return {
        ...{ address1: `${random.int(1, 420)} ${random.pick(streets)}`, address2: '' },
        ...{ city: 'Maple Grove', state: 'PA', zipcode: '17011' },
      }
    case 'phone':
      return `717555${String(random.int(0, 9999)).padStart(4, '0')}`
    case 'checkbox':
      return true
    case 'signature':
      return { typed: random.pick(signers) }
    default:
      return undefined
  }
}

export const demoForms: readonly DemoForm[] = packEntries<FormEntry>('forms').map(({ key, ...entry }) => {
  const { sent, glAccount, samples } = uses[key] ?? { sent: 0, glAccount: '', samples: {} }
  const definition = definitionOf(entry.steps)
  return {
    form: { ...settingsOf(entry), ...(glAccount && { glAccount }) },
    department: entry.department ?? '',
    definition,
    sent,
    answer: (random) =>
      Object.fromEntries(
        allFields(definition).flatMap((field) => {
          const own = samples[field.name]
          const value =
            own === undefined ? sampleOf(field, random) : typeof own === 'function' ? own(random) : random.pick(own)
          return value === undefined ? [] : [[field.name, value]]
        }),
      ),
  }
})

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
