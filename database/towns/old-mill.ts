import type { DemoCompany } from './town.ts'

/** Demo company that is offline, so every page shows its offline message. */
export const oldMill: DemoCompany = {
  seed: 1803,
  company: {
    companyName: 'Old Mill',
    address: '4 Millstone Road',
    city: 'Old Mill',
    state: 'OH',
    zip: '44145',
    phone: '4405550117',
    companyWebsite: 'https://oldmill.example.org',
    subdomain: 'oldmill',
    timeZone: 1,
    online: 0,
    intrigratesWithBilling: 0,
    isManagedServices: 0,
    officeHoursOpen: '09:00',
    officeHoursClosed: '16:00',
  },
  theme: { theme_background: '#7a2e2e', theme_text: '#111111', founded: 1803, tagline: 'The village at the mill' },
  license: 'OH-1120',
  siteWideMessage: '',
  offlineMessage:
    'The Old Mill portal is being set up and is not open yet. Pay at the village office, Monday to Friday from 9 to 4.',
  notices: [],
  modulesOff: ['bills', 'forms', 'registration', 'requests', 'moves', 'rentals', 'faqs'],
  services: [],
  absorbsFee: false,
  people: [],
  utilities: null,
  map: null,
  venues: [],
  locations: [],
}
