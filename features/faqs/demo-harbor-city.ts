import type { DemoQuestion } from './demo-questions.ts'

/** Demo FAQs of Harbor City. The list is shorter than Maple Grove's and has different answers. */
export const harborCityQuestions: DemoQuestion[] = [
  ['Paying', 'Do I pay a fee when I use a card?', 'No. The city pays it.'],
  ['Paying', 'When is my bill due?', 'On the last day of the month.'],
  ['Paying', 'Can I pay at City Hall?', 'Yes, at 1 Wharf Square, from 8:30 to 5, by cash, check or card.'],
  ['Paying', 'How do I pay a parking ticket?', 'Choose Parking Tickets and enter its number or your license plate.'],
  ['Paying', 'May I pay in parts?', 'Call us before the due date. Most people get three months.'],
  [
    'On the water',
    'How do I get a slip in the marina?',
    'Put your name on the list at the harbormaster’s office. It is about two years long.',
  ],
  ['On the water', 'When is the boat ramp open?', 'At all hours. A day pass costs $6, one for the season $60.'],
  [
    'On the water',
    'Do I need a license to go crabbing?',
    'Up to two dozen a day from the pier without one. For traps you need the state’s license.',
  ],
  ['On the water', 'Where do I empty my boat’s holding tank?', 'At the pump-out station on pier C, free.'],
  [
    'On the water',
    'How high does the tide come?',
    'At seven feet, Wharf Street is under water. We send alerts the day before.',
  ],
  ['At home', 'What day is trash collected?', 'East of the harbor on Monday, west of it on Wednesday.'],
  [
    'At home',
    'How do I get sandbags?',
    'At the yard on Bay Road, up to twenty for each house, when a storm is expected.',
  ],
  [
    'At home',
    'Why does my water taste of chlorine?',
    'In spring we use more of it. Let it stand in the refrigerator for an hour.',
  ],
  [
    'At home',
    'May I paint my house in the historic district?',
    'Ask the commission first. It has a list of colors that need no meeting.',
  ],
  [
    'At home',
    'Does an elevation certificate make flood insurance cheaper?',
    'Often. We have certificates of 600 houses. Ask whether yours is one of them.',
  ],
  ['City Hall', 'When does the city council meet?', 'On the first Tuesday of the month at 6:30.'],
  ['City Hall', 'How do I reach the harbormaster?', 'On channel 16, or by phone at any hour.'],
  ['City Hall', 'How do I film in the city?', 'With a permit for $200 a day. Students pay nothing.'],
].map(([category = '', question = '', answer = '']) => ({ id: question, category, question, answer }))
