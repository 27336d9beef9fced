import { modules } from '../../features/companies/rules.ts'
import { roles } from '../../shared/privileges.ts'
import type { DemoTown } from './town.ts'

/** The town in which everything can be tried. */
export const mapleGrove: DemoTown = {
  seed: 1884,
  company: {
    companyName: 'Maple Grove',
    address: '100 Main Street',
    city: 'Maple Grove',
    state: 'PA',
    zip: '17011',
    phone: '7175550142',
    companyWebsite: 'https://www.maplegrove.example',
    subdomain: 'maplegrove',
    timeZone: 1,
    online: 1,
    intrigratesWithBilling: 1,
    isManagedServices: 0,
    officeHoursOpen: '08:00',
    officeHoursClosed: '16:30',
  },
  look: { theme_background: '#2f6b4f', theme_text: '#111111', founded: 1884, tagline: 'A borough on the Conodoguinet since 1884' },
  license: 'PA-0417',
  siteWideMessage:
    '<p><strong>Leaf collection</strong> goes on until {date}. Rake leaves to the curb, not into the street. Questions? Call <a href="tel:7175550142">(717) 555-0142</a>.</p>',
  offlineMessage: '',
  notices: [
    { place: 'landing', message: 'Hydrants are flushed this month. The water may look cloudy for an hour; let it run cold until it is clear.', days: 21 },
    { place: 'back_office', message: 'Meter reading of route 3 moves to Thursday. The schedule has the new times.', days: 9 },
  ],
  modules,
  services: [
    {
      id: 6,
      name: 'Resource Rentals',
      description: 'Pavilions, the community room, ball fields.',
      icon: 'trees',
      url: '/resource-rentals',
    },
    {
      id: 8,
      name: 'Frequently Asked Questions',
      description: 'Answers about bills, trash days, permits and more.',
      icon: 'help',
      url: '/frequently-asked-questions',
    },
  ],
  absorbsFee: false,
  people: [
    { email: 'admin@maplegrove.example', roleId: roles.municipalityAdmin, firstName: 'Judith', lastName: 'Sawyer' },
    { email: 'manager@maplegrove.example', roleId: roles.municipalityManager, firstName: 'Marcus', lastName: 'Okafor' },
    { email: 'staff@maplegrove.example', roleId: roles.municipalityStaff, firstName: 'Elena', lastName: 'Kowalski' },
    {
      email: 'resident@maplegrove.example',
      roleId: roles.citizen,
      firstName: 'Naomi',
      lastName: 'Whitaker',
      accounts: ['100014', '100237'],
    },
    { email: 'newcomer@maplegrove.example', roleId: roles.citizen, firstName: 'Theodore', lastName: 'Lim' },
  ],
  utilities: {
    accounts: 1200,
    firstAccount: 100_001,
    streets: [
      ...['Main Street', 'Maple Avenue', 'Sycamore Lane', 'Chestnut Street', 'Orchard Road', 'Mill Race Lane', 'Spring Hollow Road'],
      ...['Church Street', 'Linden Avenue', 'Quarry Road', 'Walnut Street', 'Hillcrest Drive', 'Creekside Court', 'Locust Street'],
      ...['Meadowbrook Drive', 'Cedar Street', 'Schoolhouse Lane', 'Front Street', 'Ridge Road', 'Canal Street', 'Dogwood Terrace'],
    ],
    known: {
      '100001': { name: 'Dorothy Abernathy', address: '214 Sycamore Lane', email: 'dorothy.abernathy@mail.example', newestUse: 65, payer: 'mail' },
      '100014': { name: 'Naomi Whitaker', address: '38 Linden Avenue', email: 'resident@maplegrove.example', newestUse: 52, payer: 'card' },
      '100237': { name: 'Naomi Whitaker', address: '7 Canal Street', email: 'resident@maplegrove.example', payer: 'autopay' },
    },
  },
  places: ['Borough Hall', 'Memorial Park', 'Mill Race Pavilion', 'Sycamore Lane', 'Front Street', 'the water plant', 'Quarry Road', 'Canal Street', 'Linden Avenue'],
}
