import { declaredServices } from '../../../server/findable.ts'

/** Search entries for the three kinds of move, in the words that residents use. */
export const findableMoves = declaredServices([
  {
    title: 'Move in',
    text: 'Set up water and other services at a new address.',
    alternatives: ['Start service', 'Turn on the water', 'I am moving here', 'New account at a house I bought'],
    path: '/relocate/move-in',
  },
  {
    title: 'Move out',
    text: 'End your services, get a final meter reading and leave a forwarding address.',
    alternatives: ['Stop service', 'Turn off the water', 'I am moving away', 'Close my account', 'Final bill'],
    path: '/relocate/move-out',
  },
  {
    title: 'Move within the community',
    text: 'Switch services from one address to another.',
    alternatives: [
      'Transfer service',
      'I am moving to another apartment',
      'Change of address',
      'Move to another address here',
    ],
    path: '/relocate/move-within',
  },
])
