import type { RoundStatus } from './states.ts'

export interface DemoChoice {
  resource: string
  /** Part of the resource, such as 'North half'. */
  part?: string
  weekdays: number[]
  from: string
  until: string
}
export interface DemoRound {
  name: string
  text: string
  status: Extract<RoundStatus, 'open' | 'closed' | 'confirmed'>
  /** First and last day of the season, in days from today. */
  season: [number, number]
  applies: [number, number]
  resources: string[]
  maxChoices: number
  maxHours: number
  audience: 'residents' | 'everybody'
  groups: string[]
  /** Applications in order, each with its club, priority group, number of people and ranked choices. */
  applications: { club: string; group: number; people: number; rankedChoices: DemoChoice[] }[]
}

const ballField = (weekdays: number[], part?: string, from = '17:00'): DemoChoice => ({
  ...{ resource: 'Ball Field 2', weekdays, from, until: `${Number(from.slice(0, 2)) + 2}:00` },
  ...(part !== undefined && { part }),
})
const turf = (weekdays: number[], from: string, part?: string): DemoChoice => ({
  ...{ resource: 'Harbor Turf', weekdays, from, until: `${Number(from.slice(0, 2)) + 2}:00` },
  ...(part !== undefined && { part }),
})

/** Choices for the ball field. They exceed the available time, so that the lottery must decide. */
const leagues: DemoRound['applications'] = [
  {
    club: 'Maple Grove Little League',
    group: 1,
    people: 24,
    rankedChoices: [ballField([1, 3]), ballField([2], 'North half')],
  },
  {
    club: 'Grove Girls Softball',
    group: 1,
    people: 18,
    rankedChoices: [ballField([1, 3]), ballField([2, 4], 'South half')],
  },
  {
    club: 'Mill Race Kickball',
    group: 2,
    people: 20,
    rankedChoices: [ballField([4]), ballField([3], undefined, '19:00')],
  },
  {
    club: 'Front Street Softball',
    group: 2,
    people: 22,
    rankedChoices: [ballField([1, 3], undefined, '19:00'), ballField([5])],
  },
  {
    club: 'Canal Runners',
    group: 0,
    people: 15,
    rankedChoices: [ballField([4], 'North half'), ballField([5], 'North half')],
  },
]
const squads: DemoRound['applications'] = [
  {
    club: 'Harbor United',
    group: 0,
    people: 26,
    rankedChoices: [turf([2, 4], '18:00'), turf([2, 4], '20:00', 'Bay half')],
  },
  { club: 'Lighthouse Lacrosse', group: 0, people: 22, rankedChoices: [turf([2, 4], '18:00'), turf([1, 3], '18:00')] },
  { club: 'Dockside Rugby', group: 0, people: 30, rankedChoices: [turf([1, 3], '18:00'), turf([5], '18:00')] },
  {
    club: 'Bay Road Juniors',
    group: 0,
    people: 16,
    rankedChoices: [turf([2], '18:00', 'Road half'), turf([4], '18:00', 'Bay half')],
  },
]

export const demoRounds: Readonly<Record<string, readonly DemoRound[]>> = {
  maplegrove: [
    {
      ...{ name: 'Ball field, this season', status: 'open', season: [75, 140], applies: [-10, 18] },
      ...{ resources: ['Ball Field 2'], maxChoices: 4, maxHours: 6, audience: 'residents' },
      groups: ['Youth leagues', 'Adult leagues'],
      text: 'Tell us in one line who plays. Youth leagues have priority.',
      applications: leagues,
    },
    {
      ...{ name: 'Ball field, last season', status: 'confirmed', season: [-170, -110], applies: [-230, -200] },
      ...{ resources: ['Ball Field 2'], maxChoices: 4, maxHours: 6, audience: 'residents' },
      groups: ['Youth leagues', 'Adult leagues'],
      text: '',
      applications: leagues,
    },
  ],
  harborcity: [
    {
      ...{ name: 'Evenings on the turf', status: 'closed', season: [100, 160], applies: [-30, -1] },
      ...{ resources: ['Harbor Turf'], maxChoices: 2, maxHours: 4, audience: 'everybody', groups: [], text: '' },
      applications: squads,
    },
  ],
}
