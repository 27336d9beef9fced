import type { FormCategory } from './rules.ts'

/** A paper of the demo's library, as text that `features/companies/server/document-text.ts` reads. */
interface Paper {
  title: string
  file: string
  category: FormCategory
  description: string
  text: string
  /** A sentence that the second version has and the first had not. */
  later?: string
  /** The subdomains of the demo towns that have it. */
  towns: readonly string[]
  inactive?: true
}

const LINE = '______________________________'
const applicant = `## Applicant

Name: ${LINE}

Address: ${LINE}

Phone: ____________________ Email: ____________________`
const signature = `## Signature

I state that what I have written is true and complete.

Signature: ${LINE} Date: ____________`

const both = ['maplegrove', 'harborcity'] as const

export const papers: readonly Paper[] = [
  {
    title: 'Dog License Application',
    file: 'dog-license-application',
    category: 'Licenses',
    description: 'For dogs of three months and older. One form for each dog, every January.',
    text: `${applicant}

## Your dog

Name: ____________________ Breed: ____________________

Color: ____________________ Date of birth: ____________

Rabies tag number: ____________________ Valid until: ____________

- Spayed or neutered
- Service dog

${signature}`,
    later: 'Attach a copy of the rabies certificate.',
    towns: both,
  },
  {
    title: 'Business License Application',
    file: 'business-license-application',
    category: 'Licenses',
    description: 'New businesses, changes of address, and renewals.',
    text: `${applicant}

## The business

Legal name: ${LINE}

Kind of ownership: sole proprietor, partnership, LLC, corporation, other

Street address: ${LINE}

Number of employees: __________ Opening date: ____________

${signature}`,
    towns: both,
  },
  {
    title: 'Building Permit Application',
    file: 'building-permit-application',
    category: 'Permits',
    description: 'Decks, sheds over 120 square feet, additions, and new buildings.',
    text: `${applicant}

## The work

Parcel number: ____________________ Zoning district: __________

What will be built: ${LINE}

Estimated cost: $____________ Contractor: ____________________

1. Attach a site plan that shows distances to the property lines.
2. Attach drawings of the work.
3. Attach the contractor's proof of insurance.

${signature}`,
    later: 'Drawings may be sent as PDF.',
    towns: ['maplegrove'],
  },
  {
    title: 'Block Party and Parade Permit',
    file: 'block-party-permit',
    category: 'Permits',
    description: 'Closing a street for a few hours. Ask at least 21 days before.',
    text: `${applicant}

## The event

Date: ____________ From: ________ To: ________

Streets to be closed: ${LINE}

Expected guests: ________

- Amplified music
- Food will be sold
- All neighbors on the block were told

${signature}`,
    towns: both,
  },
  {
    title: 'Final Meter Reading Request',
    file: 'final-meter-reading',
    category: 'Utilities',
    description: 'For sellers and landlords. We read the meter within two working days.',
    text: `${applicant}

## The property

Service address: ${LINE}

Account number: ____________________ Closing date: ____________

Where we send the final bill: ${LINE}

${signature}`,
    towns: both,
  },
  {
    title: 'Leak Adjustment Request',
    file: 'leak-adjustment',
    category: 'Utilities',
    description: 'When a hidden leak made a bill much higher than usual.',
    text: `${applicant}

## The leak

Account number: ____________________ Bill of: ____________

Where the leak was: ${LINE}

Repaired on: ____________ By: ____________________

Attach the plumber's bill or a receipt for the parts.

${signature}`,
    towns: ['maplegrove'],
  },
  {
    title: 'Homestead Exclusion Application',
    file: 'homestead-exclusion',
    category: 'Taxes',
    description: 'Lowers the property tax of the home that you own and live in. Due March 1.',
    text: `${applicant}

## The property

Parcel number: ____________________

- This is my primary residence
- Part of the property is used for business

${signature}`,
    towns: ['harborcity'],
  },
  {
    title: 'Driveway and Sidewalk Opening Permit',
    file: 'driveway-opening',
    category: 'Public Works',
    description: 'For work that opens a sidewalk, a curb or a street.',
    text: `${applicant}

## The opening

Location: ${LINE}

Length: ________ feet Width: ________ feet

Start: ____________ Restored by: ____________

The applicant restores the surface and keeps it in order for 24 months.

${signature}`,
    towns: [],
  },
  {
    title: 'Pavilion Rental Agreement',
    file: 'pavilion-rental',
    category: 'Parks and Recreation',
    description: 'Rules, deposit and hours of the park pavilions.',
    text: `${applicant}

## The rental

Pavilion: ____________________ Date: ____________

1. The pavilion is open from 8 AM to dusk.
2. The deposit is returned when the pavilion is left clean.
3. Grills stay on the paved area.
4. No glass near the playground.

${signature}`,
    towns: both,
  },
  {
    title: 'Right-to-Know Request',
    file: 'right-to-know-request',
    category: 'Public Records',
    description: 'Asks for public records. We answer within five working days.',
    text: `${applicant}

## The records

What you would like to see: ${LINE}

${LINE}

- I want copies
- I want to look at the records in the office
- Send them by email

${signature}`,
    towns: both,
  },
  {
    title: 'Application for a Mail-in Ballot',
    file: 'mail-in-ballot',
    category: 'Elections',
    description: 'Has to be here seven days before the election.',
    text: `${applicant}

## Where we send the ballot

Address: ${LINE}

Last four digits of your Social Security number or your driver's license number: ____________

${signature}`,
    towns: ['harborcity'],
  },
  {
    title: 'Vacation House Check',
    file: 'vacation-house-check',
    category: 'Other',
    description: 'The police look after your house while you are away. Replaced by an online form.',
    text: `${applicant}

## Your absence

Away from: ____________ Until: ____________

Who has a key: ____________________ Phone: ____________________

Lights on a timer: ${LINE}

${signature}`,
    towns: ['maplegrove'],
    inactive: true,
  },
]
