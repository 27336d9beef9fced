import type { CostKind, OrderKind, Severity } from './rules.ts'

/** Sample job of the demo crews: season, duration and materials. */
export interface Job {
  title: string
  description: string
  kind: OrderKind
  severity: Severity
  /** Months in which the job occurs, with 1 for January. All months by default. */
  months?: readonly number[]
  minutes: number
  department: string
  checklist: readonly string[]
  costs: readonly (readonly [kind: CostKind, text: string, quantity: number, unitCents: number])[]
}

const crew = (minutes: number) => ['labor', 'Crew of two', minutes, 7600] as const

export const jobs: readonly Job[] = [
  {
    title: 'Fill the pothole',
    description: 'Reported by a resident. Cold patch; one lane closed while it is done.',
    ...{ kind: 'repair', severity: 0, minutes: 120, department: 'Public Works' },
    checklist: ['Close the lane', 'Clean the hole', 'Fill and tamp', 'Open the lane'],
    costs: [crew(120), ['part', 'Cold patch, bag', 6, 1899]],
  },
  {
    title: 'Repair the street light',
    description: 'It is out at night. Bucket truck needed.',
    ...{ kind: 'repair', severity: 1, minutes: 90, department: 'Public Works' },
    checklist: [],
    costs: [crew(90), ['part', 'LED lamp', 1, 14250]],
  },
  {
    title: 'Replace the water meter',
    description: 'It has not moved for two readings.',
    ...{ kind: 'repair', severity: 1, minutes: 60, department: 'Public Works' },
    checklist: ['Tell the resident', 'Note the last reading', 'Test for leaks'],
    costs: [
      ['labor', 'Technician', 60, 4200],
      ['part', 'Meter, 5/8 inch', 1, 18900],
    ],
  },
  {
    title: 'Clear the storm drain',
    description: 'Leaves after the last rain.',
    ...{ kind: 'maintenance', severity: 1, months: [3, 4, 9, 10, 11, 12], minutes: 150, department: 'Public Works' },
    checklist: [],
    costs: [crew(150)],
  },
  {
    title: 'Trim the tree over the sidewalk',
    description: 'A branch hangs below seven feet.',
    ...{
      kind: 'maintenance',
      severity: 2,
      months: [4, 5, 6, 7, 8, 9],
      minutes: 120,
      department: 'Parks and Recreation',
    },
    checklist: ['Block the sidewalk', 'Take the cuttings along'],
    costs: [crew(120)],
  },
  {
    title: 'Read the meter again',
    description: 'The reading was far from the year before.',
    ...{ kind: 'reading', severity: 2, minutes: 30, department: 'Public Works' },
    checklist: [],
    costs: [],
  },
  {
    title: 'Mend the playground swing',
    description: 'A chain is worn.',
    ...{
      kind: 'repair',
      severity: 0,
      months: [3, 4, 5, 6, 7, 8, 9, 10],
      minutes: 60,
      department: 'Parks and Recreation',
    },
    checklist: ['Lock the swing', 'Change both chains', 'Check the bolts'],
    costs: [
      ['labor', 'Technician', 60, 4200],
      ['part', 'Swing chain', 2, 3150],
    ],
  },
  {
    title: 'Replace the stop sign',
    description: 'It was hit and is crooked.',
    ...{ kind: 'repair', severity: 0, minutes: 60, department: 'Public Works' },
    checklist: [],
    costs: [crew(60), ['part', 'Sign and post', 1, 9800]],
  },
  {
    title: 'Look at a wet place in the lawn',
    description: 'There may be a leak in the service line.',
    ...{ kind: 'inspection', severity: 1, minutes: 45, department: 'Public Works' },
    checklist: ['Close the curb stop', 'Listen on the line'],
    costs: [['labor', 'Technician', 45, 4200]],
  },
  {
    title: 'Salt the steep part',
    description: 'It freezes over first.',
    ...{ kind: 'maintenance', severity: 0, months: [12, 1, 2, 3], minutes: 60, department: 'Public Works' },
    checklist: [],
    costs: [crew(60), ['part', 'Salt, 50 lb', 8, 895]],
  },
]

/** Sample maintenance plans. */
export const plans = [
  {
    title: 'Read the meters of the route',
    ...{ kind: 'reading', unit: 'month', every: 1, by: 'weekday', time: '08:00', minutes: 360, lead: 30 },
    department: 'Public Works',
    checklist: ['Charge the reader', 'Note meters that could not be read'],
  },
  {
    title: 'Sweep Main Street',
    ...{ kind: 'maintenance', unit: 'week', every: 1, by: 'day', time: '05:00', minutes: 180, lead: 14 },
    department: 'Public Works',
    checklist: [],
  },
  {
    title: 'Check the pumps of the plant',
    ...{ kind: 'inspection', unit: 'week', every: 2, by: 'day', time: '09:30', minutes: 90, lead: 21 },
    department: 'Public Works',
    checklist: ['Listen to the bearings', 'Grease', 'Read the hours'],
  },
  {
    title: 'Walk through the playgrounds',
    ...{ kind: 'inspection', unit: 'month', every: 1, by: 'day', time: '14:00', minutes: 120, lead: 21 },
    department: 'Parks and Recreation',
    checklist: ['Swings', 'Slides', 'Ground cover', 'Fences'],
  },
  {
    title: 'Service the trucks',
    ...{ kind: 'maintenance', unit: 'month', every: 3, by: 'day', time: '', minutes: 480, lead: 45 },
    department: 'Public Works',
    checklist: ['Oil and filters', 'Brakes', 'Lights'],
  },
] as const satisfies readonly {
  title: string
  kind: OrderKind
  unit: 'week' | 'month'
  every: number
  by: 'day' | 'weekday'
  time: string
  minutes: number
  lead: number
  department: string
  checklist: readonly string[]
}[]
