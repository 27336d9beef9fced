import type { FormCategory } from './rules.ts'

/** A form template of the demo library, as text for `features/companies/server/document-text.ts`. */
interface DemoTemplateFile {
  title: string
  /** File name. Default: the title in lower case with dashes. */
  file?: string
  description: string
  text: string
  /** Sentence that is only in the second version of the file. */
  later?: string
  /** Form of the starter pack with the questions of the template. */
  questions?: string
  /** Subdomains of the demo companies that have the form template. */
  assignedTo: readonly string[]
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

/** Puts the text between the applicant's fields and the signature. */
const documentText = (text: string) => `${applicant}\n\n${text}\n\n${signature}`

const both = ['maplegrove', 'harborcity'] as const

const byCategory: Partial<Record<FormCategory, readonly DemoTemplateFile[]>> = {
  Licenses: [
    {
      title: 'Dog License Application',
      questions: 'dog-license',
      description: 'For dogs of three months and older. One form for each dog, every January.',
      text: documentText(`## Your dog

Name: ____________________ Breed: ____________________

Color: ____________________ Date of birth: ____________

Rabies tag number: ____________________ Valid until: ____________

- Spayed or neutered
- Service dog`),
      later: 'Attach a copy of the rabies certificate.',
      assignedTo: both,
    },
    {
      title: 'Business License Application',
      questions: 'business-license',
      description: 'New businesses, changes of address, and renewals.',
      text: documentText(`## The business

Legal name: ${LINE}

Kind of ownership: sole proprietor, partnership, LLC, corporation, other

Street address: ${LINE}

Number of employees: __________ Opening date: ____________`),
      assignedTo: both,
    },
  ],
  Permits: [
    {
      title: 'Building Permit Application',
      description: 'Decks, sheds over 120 square feet, additions, and new buildings.',
      text: documentText(`## The work

Parcel number: ____________________ Zoning district: __________

What will be built: ${LINE}

Estimated cost: $____________ Contractor: ____________________

1. Attach a site plan that shows distances to the property lines.
2. Attach drawings of the work.
3. Attach the contractor's proof of insurance.`),
      later: 'Drawings may be sent as PDF.',
      assignedTo: ['maplegrove'],
    },
    {
      title: 'Block Party and Parade Permit',
      questions: 'block-party',
      file: 'block-party-permit',
      description: 'Closing a street for a few hours. Ask at least 21 days before.',
      text: documentText(`## The event

Date: ____________ From: ________ To: ________

Streets to be closed: ${LINE}

Expected guests: ________

- Amplified music
- Food will be sold
- All neighbors on the block were notified`),
      assignedTo: both,
    },
  ],
  Utilities: [
    {
      title: 'Final Meter Reading Request',
      file: 'final-meter-reading',
      description: 'For sellers and landlords. We read the meter within two working days.',
      text: documentText(`## The property

Service address: ${LINE}

Account number: ____________________ Closing date: ____________

Where we send the final bill: ${LINE}`),
      assignedTo: both,
    },
    {
      title: 'Leak Adjustment Request',
      file: 'leak-adjustment',
      description: 'When a hidden leak made a bill much higher than usual.',
      text: documentText(`## The leak

Account number: ____________________ Bill of: ____________

Where the leak was: ${LINE}

Repaired on: ____________ By: ____________________

Attach the plumber's bill or a receipt for the parts.`),
      assignedTo: ['maplegrove'],
    },
  ],
  Taxes: [
    {
      title: 'Homestead Exclusion Application',
      file: 'homestead-exclusion',
      description: 'Lowers the property tax of the home that you own and live in. Due March 1.',
      text: documentText(`## The property

Parcel number: ____________________

- This is my primary residence
- Part of the property is used for business`),
      assignedTo: ['harborcity'],
    },
  ],
  'Public Works': [
    {
      title: 'Driveway and Sidewalk Opening Permit',
      file: 'driveway-opening',
      description: 'For work that opens a sidewalk, a curb or a street.',
      text: documentText(`## The opening

Location: ${LINE}

Length: ________ feet Width: ________ feet

Start: ____________ Restored by: ____________

The applicant restores the surface and keeps it in order for 24 months.`),
      assignedTo: [],
    },
  ],
  'Parks and Recreation': [
    {
      title: 'Pavilion Rental Agreement',
      file: 'pavilion-rental',
      description: 'Rules, deposit and hours of the park pavilions.',
      text: documentText(`## The rental

Pavilion: ____________________ Date: ____________

1. The pavilion is open from 8 AM to dusk.
2. The deposit is returned when the pavilion is left clean.
3. Grills stay on the paved area.
4. No glass near the playground.`),
      assignedTo: both,
    },
  ],
  'Public Records': [
    {
      title: 'Right-to-Know Request',
      questions: 'records-request',
      description: 'Asks for public records. We answer within five working days.',
      text: documentText(`## The records

What you would like to see: ${LINE}

${LINE}

- I want copies
- I want to look at the records in the office
- Send them by email`),
      assignedTo: both,
    },
  ],
  Elections: [
    {
      title: 'Application for a Mail-in Ballot',
      file: 'mail-in-ballot',
      description: 'Has to be here seven days before the election.',
      text: documentText(`## Where we send the ballot

Address: ${LINE}

Last four digits of your Social Security number or your driver's license number: ____________`),
      assignedTo: ['harborcity'],
    },
  ],
  Other: [
    {
      title: 'Vacation House Check',
      description: 'The police look after your house while you are away. Replaced by an online form.',
      text: documentText(`## Your absence

Away from: ____________ Until: ____________

Who has a key: ____________________ Phone: ____________________

Lights on a timer: ${LINE}`),
      assignedTo: ['maplegrove'],
      inactive: true,
    },
  ],
}

export const demoTemplates = Object.entries(byCategory).flatMap(([category, of]) =>
  of.map((template) => ({ ...template, category })),
)
