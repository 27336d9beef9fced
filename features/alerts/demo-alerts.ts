import type { AlertText, Category, Certainty, Kind, Severity, Urgency } from './rules.ts'

/** Alert of a demo company, from the past year or current. */
export interface DemoAlert {
  /**
   * Ages of the alerts in days: one alert is created for each number. If empty, the alert is current and has the status
   * in `now`.
   */
  days: readonly number[]
  now?: 'draft' | 'waiting' | 'scheduled' | 'sent'
  service: string
  event: string
  category: Category
  severity: Severity
  urgency: Urgency
  certainty: Certainty
  en: AlertText
  es?: AlertText
  hours: number
  /**
   * Number of zones that the alert covers, counted from the company's first zone. If absent, the alert goes to
   * everyone.
   */
  zones?: number
  /** Follow-ups to the alert. `after` is the number of hours after the alert. */
  followUps?: readonly { kind: Exclude<Kind, 'alert'>; after: number; en: AlertText }[]
}

export interface DemoServices {
  alerts: readonly string[]
  essentials: readonly string[]
  others: readonly string[]
}

const alertText = (headline: string, description = '', instruction = ''): AlertText => ({
  headline,
  description,
  instruction,
})
const gravely = { category: 'Met', severity: 'Severe', urgency: 'Immediate', certainty: 'Observed' } as const
const lightly = { category: 'Transport', severity: 'Minor', urgency: 'Expected', certainty: 'Observed' } as const

export const mapleGroveServices: DemoServices = {
  alerts: ['Emergencies', 'Severe weather'],
  essentials: ['Water and sewer', 'Trash and recycling', 'Road closures'],
  others: ['Parks and events', 'Council meetings'],
}

export const mapleGroveAlerts: readonly DemoAlert[] = [
  {
    days: [38, 251],
    ...{ service: 'Severe weather', event: 'Flood warning', ...gravely, hours: 18 },
    en: alertText(
      'Flood: leave the low streets at Mill Creek',
      'Mill Creek is rising fast and is over its banks at Wharf Street.',
      'Go to higher ground. Never drive through water. The shelter is at the fire hall on Main Street.',
    ),
    es: alertText(
      'Inundación: deje las calles bajas junto a Mill Creek',
      'Mill Creek sube rápido y ya inunda Wharf Street.',
      'Vaya a un lugar alto. No conduzca por el agua. El refugio está en el cuartel de bomberos de Main Street.',
    ),
    zones: 2,
    followUps: [
      {
        kind: 'update',
        after: 5,
        en: alertText(
          'Flood: Wharf Street and Mill Lane are closed',
          'The water is no longer rising.',
          'Stay away from the creek.',
        ),
      },
      { kind: 'all_clear', after: 15, en: alertText('The flood is over', 'All streets are open again.') },
    ],
  },
  {
    days: [12, 96, 171, 288],
    ...{ service: 'Water and sewer', event: 'Boil water advisory', category: 'Health', severity: 'Severe' },
    ...{ urgency: 'Immediate', certainty: 'Likely', hours: 48, zones: 1 },
    en: alertText(
      'Boil water before you drink it',
      'A main broke on Linden Avenue. The water may not be safe.',
      'Let water boil for one minute before you drink it, cook with it or brush your teeth.',
    ),
    es: alertText(
      'Hierva el agua antes de beberla',
      'Se rompió una tubería en Linden Avenue. Es posible que el agua no sea segura.',
      'Hierva el agua un minuto antes de beberla, cocinar o cepillarse los dientes.',
    ),
    followUps: [
      { kind: 'all_clear', after: 40, en: alertText('The water is safe again', 'Two tests in a row were clean.') },
    ],
  },
  {
    days: [297, 304, 318, 330],
    ...{ service: 'Severe weather', event: 'Snow emergency', category: 'Transport', severity: 'Moderate' },
    ...{ urgency: 'Expected', certainty: 'Likely', hours: 24 },
    en: alertText(
      'Snow emergency: no parking on snow routes',
      'Eight inches are expected overnight.',
      'Move your car off the street by 10 p.m., or it is towed.',
    ),
  },
  {
    days: [3, 24, 52, 77, 118, 146, 203, 229],
    ...{ service: 'Road closures', event: 'Road closure', ...lightly, hours: 72 },
    en: alertText(
      'Main Street is closed at the bridge',
      'Crews are paving the bridge between Market Street and the square.',
      'Go by Second Street.',
    ),
  },
  {
    days: [5, 33, 89, 154, 215, 276],
    ...{ service: 'Trash and recycling', event: 'Collection moves', ...lightly, category: 'Infra', hours: 48 },
    en: alertText(
      'Trash is collected a day later this week',
      'Because of the holiday, each day moves by one.',
      'Put your bins out a day later.',
    ),
  },
  {
    days: [17, 61, 110, 140, 190, 240, 310],
    ...{ service: 'Parks and events', event: 'Event', ...lightly, category: 'Other', urgency: 'Future', hours: 96 },
    en: alertText('Movie night in Riverside Park on Friday', 'It begins at dusk. Bring a blanket.'),
  },
  {
    days: [130],
    ...{ service: 'Emergencies', event: 'Missing person', category: 'Rescue', severity: 'Severe' },
    ...{ urgency: 'Immediate', certainty: 'Observed', hours: 12 },
    en: alertText(
      'Missing: boy of 7, red jacket, near the school',
      'He was last seen at 3 p.m. at Maple Grove Elementary.',
      'Call 911 if you see him.',
    ),
    followUps: [{ kind: 'cancel', after: 1, en: alertText('The boy was found and is well', 'Thank you for looking.') }],
  },
  {
    ...{ days: [], now: 'scheduled', service: 'Road closures', event: 'Road closure', ...lightly, hours: 72 },
    en: alertText(
      'Oak Street is closed on Thursday',
      'The gas company digs between First and Third Street.',
      'Go by Elm Street.',
    ),
  },
  {
    ...{
      days: [],
      now: 'waiting',
      service: 'Emergencies',
      event: 'Evacuation',
      category: 'Safety',
      severity: 'Extreme',
    },
    ...{ urgency: 'Immediate', certainty: 'Likely', hours: 12, zones: 1 },
    en: alertText(
      'Exercise: leave the river district',
      'This is the yearly exercise of the fire department.',
      'You need not do anything.',
    ),
  },
  {
    ...{
      days: [],
      now: 'draft',
      service: 'Severe weather',
      event: 'Snow emergency',
      category: 'Transport',
      severity: 'Moderate',
    },
    ...{ urgency: 'Expected', certainty: 'Possible', hours: 24 },
    en: alertText(
      'Snow emergency: no parking on snow routes',
      'Snow is expected from [time].',
      'Move your car off the street by [time], or it is towed.',
    ),
  },
]

export const harborCityServices: DemoServices = {
  alerts: ['Emergencies', 'Hurricanes and surge'],
  essentials: ['Beach and harbor', 'Traffic and bridges', 'Power and water'],
  others: ['City news', 'Library and culture'],
}

export const harborCityAlerts: readonly DemoAlert[] = [
  {
    days: [62, 79],
    ...{
      service: 'Hurricanes and surge',
      event: 'Hurricane warning',
      ...gravely,
      severity: 'Extreme',
      urgency: 'Expected',
      hours: 60,
    },
    en: alertText(
      'Hurricane: leave the shore zones by tonight',
      'Landfall is expected tomorrow at noon, with a surge of six to nine feet.',
      'Leave by Route 9 or the Harbor Bridge, which closes at 8 p.m. Shelters are at both high schools.',
    ),
    es: alertText(
      'Huracán: deje las zonas costeras antes de esta noche',
      'Se espera que llegue mañana al mediodía, con una marejada de seis a nueve pies.',
      'Salga por la Ruta 9 o el Harbor Bridge, que cierra a las 8 p.m. Hay refugios en las dos escuelas secundarias.',
    ),
    zones: 2,
    followUps: [
      {
        kind: 'update',
        after: 20,
        en: alertText('Hurricane: the bridge is closed now', 'Stay where you are.', 'Stay away from windows.'),
      },
      {
        kind: 'all_clear',
        after: 50,
        en: alertText('The hurricane has passed', 'You can go home. Keep off the beach.'),
      },
    ],
  },
  {
    days: [9, 31, 66, 101, 137, 165],
    ...{ service: 'Beach and harbor', event: 'Beach closure', category: 'Health', severity: 'Moderate' },
    ...{ urgency: 'Immediate', certainty: 'Observed', hours: 48 },
    en: alertText(
      'East Beach is closed for swimming',
      'The water has too many bacteria after the rain.',
      'Keep out of the water, children above all.',
    ),
    es: alertText(
      'La playa East está cerrada para nadar',
      'El agua tiene demasiadas bacterias después de la lluvia.',
      'No entre al agua, sobre todo los niños.',
    ),
    followUps: [{ kind: 'all_clear', after: 40, en: alertText('East Beach is open again') }],
  },
  {
    days: [2, 14, 28, 47, 85, 120, 151, 182, 211, 236, 262, 290, 322, 350],
    ...{ service: 'Traffic and bridges', event: 'Bridge closure', ...lightly, hours: 8 },
    en: alertText(
      'The Harbor Bridge is closed tonight',
      'Crews repair the bridge from 10 p.m. to 5 a.m.',
      'Go by Route 9.',
    ),
  },
  {
    days: [20, 73, 199, 300],
    ...{
      service: 'Power and water',
      event: 'Power outage',
      category: 'Infra',
      severity: 'Moderate',
      urgency: 'Immediate',
      certainty: 'Observed',
      hours: 10,
      zones: 1,
    },
    en: alertText(
      'Power is out in the north of the city',
      'A substation failed. Crews expect to repair it by midnight.',
      'Keep refrigerators shut. Report wires on the ground to 911.',
    ),
    followUps: [
      {
        kind: 'update',
        after: 4,
        en: alertText('Power is back in half of the north', 'The rest will have power within two hours.'),
      },
    ],
  },
  {
    days: [6, 40, 90, 143, 188, 225, 270, 331],
    ...{ service: 'City news', event: 'City news', ...lightly, category: 'Other', urgency: 'Future', hours: 96 },
    en: alertText('Parade on Ocean Avenue on Saturday', 'Ocean Avenue is closed from 9 a.m. to 2 p.m.'),
    es: alertText('Desfile en Ocean Avenue el sábado', 'Ocean Avenue está cerrada de 9 a.m. a 2 p.m.'),
  },
  {
    days: [111],
    ...{
      service: 'Emergencies',
      event: 'Chemical leak',
      category: 'CBRNE',
      severity: 'Extreme',
      urgency: 'Immediate',
      certainty: 'Likely',
      hours: 6,
      zones: 1,
    },
    en: alertText(
      'Ammonia leak at the cold store: stay inside',
      'The fire department is there.',
      'Shut windows and turn off the air conditioning.',
    ),
    followUps: [
      { kind: 'cancel', after: 1, en: alertText('No ammonia leaked', 'It was a sensor. You can go outside.') },
    ],
  },
  {
    ...{
      days: [],
      now: 'sent',
      service: 'Beach and harbor',
      event: 'Beach closure',
      category: 'Health',
      severity: 'Moderate',
    },
    ...{ urgency: 'Immediate', certainty: 'Observed', hours: 60 },
    en: alertText(
      'East Beach is closed for swimming',
      'The water has too many bacteria after the rain.',
      'Keep out of the water, children above all.',
    ),
    es: alertText(
      'La playa East está cerrada para nadar',
      'El agua tiene demasiadas bacterias después de la lluvia.',
      'No entre al agua, sobre todo los niños.',
    ),
  },
  {
    ...{
      days: [],
      now: 'draft',
      service: 'Hurricanes and surge',
      event: 'Hurricane watch',
      ...gravely,
      urgency: 'Future',
      certainty: 'Possible',
      hours: 48,
    },
    en: alertText(
      'Hurricane watch: get ready',
      'A storm may reach us on [day].',
      'Have water and food for three days. Know your zone.',
    ),
  },
]
