import {
  changeFormType,
  createFormType,
  openMySubmission,
  publishFormFields,
  saveFormFields,
  sendForm,
  showFormType,
  startForm,
} from '../features/forms/contract.ts'
import { usualType } from '../features/forms/rules.ts'
import { blankField, oneStep } from '../shared/fields/blank.ts'
import { callOn, newResident, sessionOf } from './calls.ts'
import { unique } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'

const HOST = 'maplegrove'

/** Sends a form that a second person signs. Returns the pages of the submission and of the signature. */
export async function sendCosignedForm(): Promise<{ submission: string; sign: string }> {
  const { token: admin } = await sessionOf(HOST, 'admin@maplegrove.example')
  const form = { ...usualType, title: `Parade ${unique()}`, category: 'permits' as const, description: '' }
  const { typeId } = await callOn(HOST, createFormType, { form: { ...form, cosigned: true } }, admin)
  const definition = oneStep({ ...blankField('text', 'route'), label: 'Route of the parade', required: true })
  await callOn(HOST, saveFormFields, { typeId, definition }, admin)
  const { version } = await callOn(HOST, publishFormFields, { typeId, definition }, admin)
  await callOn(HOST, changeFormType, { typeId, event: 'publish' }, admin)
  const { url } = await callOn(HOST, showFormType, { typeId }, admin)

  const { token } = await sessionOf(HOST, await newResident(HOST))
  const { submissionId } = await callOn(HOST, startForm, { slug: url.split('/').at(-1) ?? '' }, token)
  const signer = { name: 'Bea Finch', email: `${unique()}@mail.example`.toLowerCase() }
  const contact = { name: 'Ida Moss', email: 'ida@mail.example', phone: '' }
  await callOn(HOST, sendForm, { submissionId, version, answers: { route: 'Main Street' }, contact, signer }, token)
  const opened = await callOn(HOST, openMySubmission, { submissionId }, token)
  return {
    submission: `/forms-documents/submission/${opened.token}`,
    sign: linkIn(await emailTo(signer.email, /^Please sign/)),
  }
}
