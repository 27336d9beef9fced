import { roles } from '../../shared/privileges.ts'
import type { DemoCompany } from './town.ts'

/** Demo company that absorbs the convenience fee. It has its own colors and half of the modules. */
export const harborCity: DemoCompany = {
  seed: 1736,
  company: {
    companyName: 'Harbor City',
    address: '1 Wharf Square',
    city: 'Harbor City',
    state: 'MD',
    zip: '21661',
    phone: '4105550178',
    companyWebsite: 'https://harborcity.example.org',
    subdomain: 'harborcity',
    timeZone: 1,
    online: 1,
    intrigratesWithBilling: 1,
    isManagedServices: 1,
    officeHoursOpen: '08:30',
    officeHoursClosed: '17:00',
  },
  theme: {
    theme_background: '#ffd200',
    theme_text: '#1a1a2e',
    founded: 1736,
    tagline: 'Where the river meets the bay',
  },
  license: 'MD-0093',
  bankFileDays: 50,
  siteWideMessage:
    '<p>City Hall closes at noon on {date}. Paying online goes on as always, and <strong>the city pays the card fee</strong>.</p>',
  offlineMessage: '',
  notices: [
    {
      location: 'landing',
      message: 'The boat ramp is closed for dredging. Use the ramp at the end of Bay Road.',
      days: 14,
    },
  ],
  modulesOff: ['forms', 'moves', 'faqs', 'phone', 'lockbox'],
  services: [
    {
      id: 9,
      name: 'Parking Tickets',
      description: 'See, pay or contest a parking ticket.',
      icon: 'car',
      url: '/parking-tickets',
    },
  ],
  absorbsFee: true,
  people: [
    { email: 'admin@harborcity.example', roleId: roles.municipalityAdmin, firstName: 'Lionel', lastName: 'Barnett' },
    {
      email: 'resident@harborcity.example',
      roleId: roles.citizen,
      firstName: 'Imani',
      lastName: 'Greer',
      accounts: ['500007'],
    },
  ],
  utilities: {
    accounts: 180,
    firstAccount: 500_001,
    streets: [
      'Wharf Street',
      'Bay Road',
      'Lighthouse Lane',
      'Oyster Alley',
      'Chandler Street',
      'Fort Avenue',
      'Gull Court',
      'High Street',
      'Ropewalk Lane',
      'Shipyard Road',
    ],
    households: {
      '500001': {
        name: 'Percy Holloway',
        address: '12 Lighthouse Lane',
        email: 'percy.holloway@mail.example',
        newestUse: 48,
        payer: 'mail',
      },
      '500007': {
        name: 'Imani Greer',
        address: '88 Chandler Street',
        email: 'resident@harborcity.example',
        newestUse: 41,
        payer: 'card',
      },
    },
  },
  map: { lat: 39.1379, lon: -76.2351, turned: -9 },
  venues: ['Wharf Square stage', 'Lighthouse Park shelter', 'Boathouse'],
  locations: ['City Hall', 'Wharf Square', 'the boat ramp', 'Bay Road', 'Lighthouse Park', 'Fort Avenue'],
}
