import { declaredServices } from '../../../server/findable.ts'
import { CHOOSE_PATH, READ_PATH } from '../rules.ts'

export const findableAlerts = declaredServices([
  {
    title: 'Alerts',
    text: 'Active and past alerts.',
    alternatives: ['Emergency alerts', 'Is there a warning', 'Boil water notice', 'Road closures'],
    path: READ_PATH,
  },
  {
    title: 'Choose your alerts',
    text: 'Get alerts by email or text, in English or Spanish.',
    alternatives: ['Sign up for alerts', 'Get text messages from the municipality', 'Stop alerts'],
    path: CHOOSE_PATH,
  },
])
