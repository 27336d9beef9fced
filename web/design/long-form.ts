import { blankField, blankStep, whenAll } from '../../shared/fields/blank.ts'
import type { Definition, FieldType } from '../../shared/fields/definition.ts'
import { nameFrom } from '../../shared/fields/mistakes.ts'

/** A realistic building permit form: 40 fields in 6 steps, some with long labels. */
const steps: Record<string, [FieldType, string][]> = {
  'Who applies': [
    ['text', 'Full name of the applicant'],
    ['choice', 'Are you the owner of the property?'],
    ['text', 'Name of the owner, as it stands in the county’s record of deeds'],
    ['address', 'Where we can write to you'],
    ['email', 'Email'],
    ['phone', 'Phone during the day'],
    ['choice', 'How do you want to hear from us about this application?'],
  ],
  'The property': [
    ['address', 'Address of the building site'],
    ['text', 'Parcel number'],
    ['choice', 'Zoning district'],
    ['number', 'Size of the lot in square feet'],
    ['checkbox', 'The property lies in a flood plain, a historic district or a wetland'],
    ['choices', 'Utilities that are connected'],
    ['file', 'Survey or plot plan that shows the lot lines and all buildings'],
  ],
  'What you want to build': [
    ['choices', 'Kind of work'],
    ['text', 'Describe the work in your own words'],
    ['date', 'Day on which the work should begin'],
    ['date', 'Day on which it should be done'],
    ['number', 'Number of stories above the ground'],
    ['number', 'Height from the ground to the highest point of the roof in feet'],
    ['number', 'New floor area in square feet'],
    ['money', 'Estimated cost of the work with materials and labor'],
    ['checkbox', 'Trees have to be taken down'],
    ['table', 'Rooms that are added'],
    ['file', 'Drawings'],
  ],
  'Who builds it': [
    ['choice', 'Do you build it yourself?'],
    ['text', 'Name of the contractor'],
    ['text', 'License number of the contractor'],
    ['phone', 'Phone of the contractor'],
    ['date', 'The contractor’s insurance is valid until'],
    ['file', 'Certificate of insurance'],
    ['table', 'Plumbers, electricians and others who work on the building'],
  ],
  Fees: [
    ['reading', 'What a permit costs'],
    ['payment', 'Application fee'],
    ['payment', 'Plan review'],
    ['number', 'Copies of the stamped drawings'],
    ['computed', 'Total'],
  ],
  Signature: [
    ['reading', 'What you sign'],
    ['checkbox', 'I have read this, and everything that I entered is true as far as I know'],
    ['signature', 'Signature of the applicant'],
  ],
}

export const longForm: Definition = {
  steps: Object.entries(steps).map(([title, fields], s) => ({
    ...blankStep(`step_${s + 1}`),
    title,
    fields: fields.map(([type, label]) => {
      const field = { ...blankField(type, nameFrom(label, [])), label, required: type !== 'reading' && s !== 1 }
      const isNotOwner = { '==': [{ var: 'are_you_the_owner_of_the_propert' }, 'no'] as [{ var: string }, string] }
      return label.startsWith('Name of the owner') ? { ...field, showWhen: whenAll(isNotOwner) } : field
    }) as Definition['steps'][number]['fields'],
  })),
}
