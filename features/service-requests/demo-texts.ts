import { blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition } from '../../shared/fields/definition.ts'

/** Category of the demo data, with sample reports and replies. */
export interface DemoCategory {
  name: string
  hint?: string
  department: string
  days: number
  /** Relative frequency among the categories. */
  weight: number
  /** True for complaints about people. These requests are not on the map, and guests cannot send them. */
  isPrivate?: boolean
  questions?: Definition
  reports: readonly string[]
  done: readonly string[]
  /** Reports and replies about winter problems, used from December to March. */
  winter?: { reports: readonly string[]; done: readonly string[] }
}

const pole = { ...blankField('text', 'pole'), label: 'Number on the pole', hint: 'On a small plate at eye level.' }
const deep = { ...blankField('choice', 'size'), label: 'How large is it?' }
const questionsOf = (title: string, ...fields: Definition['steps'][number]['fields']): Definition => ({
  steps: [{ ...blankStep('questions'), title, fields }],
})

const pothole: DemoCategory = {
  name: 'Pothole',
  hint: 'On state roads, such as Route 34, please call the state, which repairs those roads.',
  department: 'Public Works',
  days: 5,
  weight: 9,
  questions: questionsOf('The pothole', {
    ...deep,
    options: [
      { value: 'plate', label: 'A plate' },
      { value: 'wheel', label: 'A wheel' },
      { value: 'larger', label: 'Larger' },
    ],
  } as never),
  reports: [
    'A deep hole in the right lane. Two cars swerved around it while I stood there.',
    'The patch from last winter is out again and the edges are sharp.',
    'There is a hole at the crosswalk, my son fell with his bike.',
    'It has grown since the rain and is hard to see at night.',
  ],
  done: ['The hole is filled with hot asphalt.', 'Filled this morning. The whole lane is resurfaced in spring.'],
}
const light: DemoCategory = {
  name: 'Street light out',
  department: 'Public Works',
  days: 10,
  weight: 6,
  questions: questionsOf('The light', pole),
  reports: [
    'The lamp has been dark for three nights.',
    'It flickers all night and shines into our bedroom.',
    'The light at the bus stop is out, it is very dark there for the school children.',
  ],
  done: ['The lamp has a new LED head.', 'The photocell was replaced and the lamp works again.'],
}
const trash: DemoCategory = {
  name: 'Missed trash pickup',
  hint: 'Set the bins out by 6 AM. After a holiday, the pickup is a day later.',
  department: 'Public Works',
  days: 1,
  weight: 8,
  reports: [
    'Our recycling was not taken this week, all neighbors’ was.',
    'The truck drove past, the bin is still full.',
    'Yard waste has stood at the curb since Monday.',
  ],
  done: ['The crew came back and took it.', 'It was taken on today’s route. We are sorry.'],
}
const tree: DemoCategory = {
  name: 'Fallen or dangerous tree',
  hint: 'If wires are down, call 911.',
  department: 'Parks and Recreation',
  days: 3,
  weight: 4,
  reports: [
    'A large branch hangs over the sidewalk after the storm.',
    'The tree at the corner leans more each week.',
    'A limb blocks half of the street.',
  ],
  done: ['The branch is cut and taken away.', 'Our arborist looked at it and took the dead limbs off.'],
}
const dog: DemoCategory = {
  name: 'Stray dog',
  department: 'Codes and Permits',
  days: 1,
  weight: 3,
  reports: [
    'A brown dog without a collar has been around the playground since morning.',
    'Two dogs run loose near the school.',
  ],
  done: ['The dog is with its owner again.', 'Animal control took the dog to the county shelter.'],
}
const graffiti: DemoCategory = {
  name: 'Graffiti',
  department: 'Parks and Recreation',
  days: 10,
  weight: 3,
  reports: [
    'The wall of the underpass is sprayed over.',
    'There is fresh paint on the bench and the sign in the park.',
  ],
  done: ['The wall is painted over.', 'Cleaned with the pressure washer.'],
}
const water: DemoCategory = {
  name: 'Water leak or low pressure',
  hint: 'If water runs into a house, call the office at any hour.',
  department: 'Public Works',
  days: 1,
  weight: 3,
  reports: ['Water bubbles up between the curb and the road.', 'Since yesterday the shower hardly runs.'],
  done: ['The service line was repaired and the pavement is restored.', 'A valve was half shut; it is open now.'],
}
const sign: DemoCategory = {
  name: 'Damaged sign or signal',
  department: 'Public Works',
  days: 5,
  weight: 3,
  reports: ['The stop sign is bent and faces the wrong street.', 'The crossing signal gives no sound any more.'],
  done: ['The sign is straight again.', 'The contractor replaced the part.'],
}
const grass: DemoCategory = {
  name: 'Overgrown lot or noise',
  department: 'Codes and Permits',
  days: 10,
  weight: 3,
  isPrivate: true,
  reports: [
    'The grass of the empty lot is above the knees and there are rats.',
    'Loud machines run on Sundays before seven.',
  ],
  done: ['We wrote to the owner, who had it mowed.', 'The officer spoke with the owner.'],
}
const flooded: DemoCategory = {
  name: 'Flooded street',
  department: 'Public Works',
  days: 1,
  weight: 3,
  reports: ['The storm drain is clogged with leaves and the street is under water.'],
  done: ['The drain is free again.'],
}
const snow: DemoCategory = {
  ...flooded,
  name: 'Snow or flooded street',
  hint: 'Main roads are cleared first.',
  winter: { reports: ['Our cul-de-sac was not plowed.'], done: ['The street was plowed and salted.'] },
}
const beach: DemoCategory = {
  name: 'Beach or boardwalk',
  department: 'Parks and Recreation',
  days: 3,
  weight: 8,
  reports: [
    'A board of the boardwalk is broken, someone will step through.',
    'The trash cans at the beach entrance overflow.',
    'The foot shower does not stop running.',
  ],
  done: ['The boards are replaced.', 'Emptied, and the beach crew comes twice a day now.'],
}

export interface DemoRequestRules {
  requests: number
  reopenDays: number
  categories: readonly DemoCategory[]
}

/** Categories of each demo company, with its number of requests in a year. */
export const demoCompanies: Readonly<Record<string, DemoRequestRules>> = {
  maplegrove: {
    requests: 1050,
    reopenDays: 30,
    categories: [pothole, light, trash, tree, dog, graffiti, water, sign, snow, grass],
  },
  harborcity: {
    requests: 500,
    reopenDays: 14,
    categories: [beach, trash, pothole, water, flooded],
  },
}

export const savedReplies = [
  {
    title: 'Thank you, we will look at it',
    text: 'Thank you, {first_name}. A crew will look at {place} by {target}. Your request number is {number}.',
  },
  {
    title: 'Work order opened',
    text: 'Work order {order} is open for {place}. {me} will tell you when the work is done.',
  },
  {
    title: 'Not a town road',
    text: 'This road belongs to the state. We have passed your report on; you can also call 1-800-349-7623.',
  },
  {
    title: 'Please send a photo',
    text: 'Could you send us a photo or tell us what is next to it, so that the crew finds it?',
  },
]
