import type { FeeRule } from '../payments/rules-fees.ts'
import type { LateStep, ParkingSettings } from './rules.ts'

interface DemoRules {
  /** Prefix of citation numbers. */
  prefix: string
  tickets: number
  settings: ParkingSettings
  codes: readonly (readonly [code: string, description: string, dollars: number, weight: number])[]
  /** Violation codes that are no longer in use. */
  retired: readonly (readonly [code: string, description: string, dollars: number])[]
  officers: readonly string[]
  /** Service fee for card payments, charged separately. */
  serviceFee?: Partial<FeeRule>
}

const step = (day: number, dollars: number, notifies = true): LateStep => ({
  day,
  feeCents: dollars * 100,
  notifies,
})

/** Parking settings of each demo company. */
export const demoRules: Readonly<Record<string, DemoRules>> = {
  maplegrove: {
    prefix: 'MG',
    tickets: 760,
    settings: {
      dueDays: 14,
      steps: [step(15, 10), step(30, 20), step(60, 0, false)],
      contestDays: 30,
      noticeRenews: false,
      bootTickets: 3,
      bootDays: 60,
      alternatives:
        'If paying would be a hardship, you can ask for:\n• a payment plan\n• community service in place of the fine\nCall (717) 555-0142.',
      hearingLocation: 'Borough Hall, 100 Main Street, room 2',
      glAccount: 'PARKING',
    },
    codes: [
      ['10', 'Expired meter', 20, 34],
      ['12', 'Over the time limit', 20, 18],
      ['21', 'No parking here to corner', 35, 11],
      ['24', 'Blocking a driveway', 40, 7],
      ['30', 'Street sweeping', 25, 14],
      ['33', 'Snow emergency route', 60, 4],
      ['41', 'Fire hydrant', 75, 5],
      ['42', 'Fire lane', 100, 3],
      ['50', 'Accessible space without a permit', 150, 3],
    ],
    retired: [['14', 'Wrong side to curb', 15]],
    officers: ['R. Delgado', 'P. Nowak', 'T. Ingram'],
  },
  harborcity: {
    prefix: 'HC',
    tickets: 700,
    serviceFee: {
      ...{ kind: 'parking', program: 'service', mode: 'two_transactions', bps: 235, minCents: 150, maxCents: 1000 },
    },
    settings: {
      dueDays: 21,
      steps: [step(22, 25), step(60, 50)],
      contestDays: 21,
      noticeRenews: true,
      bootTickets: 2,
      bootDays: 90,
      alternatives:
        'If you can prove hardship, ask the City for community service. Come to City Hall with your papers.',
      hearingLocation: 'City Hall, 1 Wharf Square, hearing room',
      glAccount: 'PKG-FINES',
    },
    codes: [
      ['A1', 'Meter expired', 32, 40],
      ['A3', 'Residents only', 48, 22],
      ['B2', 'Loading zone', 48, 9],
      ['B7', 'Trailer at the boat ramp', 62, 8],
      ['C1', 'Within 15 feet of a hydrant', 92, 6],
      ['C4', 'Bus stop', 77, 5],
      ['D1', 'Accessible space without a permit', 252, 3],
      ['E9', 'Obstructing traffic', 77, 7],
    ],
    retired: [['A2', 'Overnight on Wharf Street', 40]],
    officers: ['Officer Kemp', 'Officer Abara', 'Officer Lindqvist', 'Officer Moss'],
  },
}

export const vehicles = {
  colors: ['White', 'Black', 'Gray', 'Silver', 'Blue', 'Red', 'Green', 'Brown'],
  makes: [
    ...['Honda Civic', 'Toyota Camry', 'Ford F-150', 'Chevrolet Equinox', 'Subaru Outback', 'Jeep Cherokee'],
    ...['Hyundai Elantra', 'Nissan Rogue', 'Ram 1500', 'Kia Soul', 'Toyota RAV4', 'Volkswagen Jetta'],
  ],
}

interface ContestScenario {
  grounds: string
  /** Messages after the contest. Staff and the person take turns, staff first. */
  messages: readonly string[]
  upheld: string
  dismissed: string
}

/** Reasons for contests, with messages and decisions. */
export const scenarios: readonly ContestScenario[] = [
  {
    grounds: 'The meter took my three quarters and stayed red. I told the officer, who wrote the ticket anyway.',
    messages: ['Which meter was it? The number is on top of the meter.', 'Number 214, in front of the bakery.'],
    upheld: 'The meter was tested the same day and worked.',
    dismissed: 'The meter was out of order that morning.',
  },
  {
    grounds: 'I was unloading a wheelchair and had the permit on the mirror. It must have turned around.',
    messages: ['Please send us a photo of your permit.', 'I have it here: it is valid until next year.'],
    upheld: 'The permit had expired before that day.',
    dismissed: 'You showed a valid permit.',
  },
  {
    grounds: 'The sign for street sweeping was behind a branch. Nobody could have read it.',
    messages: ['Thank you. We have asked Public Works to look at the tree.'],
    upheld: 'There are three more signs on this block, all in plain view.',
    dismissed: 'The sign was hidden, and the tree is cut back now.',
  },
  {
    grounds: 'This is not my car. I sold it in spring and sent in the plate.',
    messages: ['Do you have the receipt from the Department of Transportation?', 'Yes, I can bring it.'],
    upheld: 'The plate was still registered to you on that day.',
    dismissed: 'The car had been sold before.',
  },
  {
    grounds: 'I was parked behind the line, and the hydrant is further down than the officer wrote.',
    messages: [],
    upheld: 'The photos show less than fifteen feet.',
    dismissed: 'The distance was measured again, and it was enough.',
  },
]
