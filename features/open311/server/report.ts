import * as z from 'zod/mini'
import { acceptAnswers } from '../../../server/fields/accept-answers.ts'
import { ofOpening } from '../../../server/cases/attach-files.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { mobileField, nameField } from '../../../shared/accounts.ts'
import { MESSAGE_LONG, noCardNumber } from '../../../shared/cases.ts'
import { dateIn } from '../../../shared/dates.ts'
import { emailOrNone } from '../../../shared/email.ts'
import { cleanText } from '../../../shared/fields/read.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { noLocation, type LocationValue, locationValue } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests, enterRequest, nextRequestId, yearOf } from '../../service-requests/api.ts'
import { answersIn } from '../rules.ts'
import { type Open311Request, parameterOf, type Open311Response, invalidArguments } from './request.ts'
import { type Service, serviceOf } from './services.ts'
import { attachTo, storePhoto, IMAGE, type ReportedPhoto } from './take-photo.ts'

const URL_INVALID = 'media_url is the address of a picture, such as https://example.org/picture.jpg.'
export const mediaUrl = z.string().check(
  z.maxLength(500, URL_INVALID),
  z.refine((text) => text === '' || (/^https?:\/\/[^\s<>"]+$/.test(text) && URL.canParse(text)), {
    error: URL_INVALID,
  }),
)
export const description = z.string().check(z.overwrite(cleanText), z.maxLength(4000, MESSAGE_LONG), noCardNumber)
const reportSchema = z.object({
  description,
  email: emailOrNone,
  phone: mobileField,
  name: nameField('Send a first_name or a last_name.'),
  address_string: locationValue.shape.text,
  media_url: mediaUrl,
})
type ReportInput = z.output<typeof reportSchema>

/** Appends the photo's URL to the text. Readers can then open the photo even if the portal cannot fetch it. */
export const withMedia = (text: string, url: string): string => [text, url].filter(Boolean).join('\n\n')

const degrees = (text: string): number | null => (/^-?\d{1,3}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null)

/** Builds the location from the sent fields. `resolveLocation` adds the known address. */
async function resolveReportLocation(
  tx: Tx,
  input: Open311Request,
  text: string,
  { category }: Service,
): Promise<LocationValue> {
  const [lat, long, address] = [parameterOf(input, 'lat'), parameterOf(input, 'long'), parameterOf(input, 'address_id')]
  const pin = { lat: degrees(lat), lon: degrees(long) }
  if (
    lat + long !== '' &&
    (pin.lat === null || pin.lon === null || !locationValue.safeParse({ ...noLocation, ...pin }).success)
  )
    throw invalidArguments({ lat: say`Send lat and long together, in degrees, such as 40.2 and -76.9.` })
  if (address !== '' && !/^[1-9]\d{0,14}$/.test(address))
    throw invalidArguments({ address_id: say`Send an address_id that this server gave you.` })
  const inputLocation = { ...noLocation, ...pin, text, addressId: address === '' ? null : Number(address) }
  const resolved = await resolveLocation(tx, input.company.id, inputLocation)
  if (address !== '' && resolved.addressId === null)
    throw invalidArguments({ address_id: say`No address has this address_id.` })
  const isAnywhere = resolved.text !== '' || resolved.lat !== null
  if (pin.lat !== null && !isAnywhere)
    throw invalidArguments({ lat: say`This location is too far from the municipality.` })
  if (category.needs_location === 1 && !isAnywhere)
    throw invalidArguments({ lat: say`Send the location as lat and long, address_string, or address_id.` })
  return resolved
}

function read(input: Open311Request, key: { name: string }): ReportInput {
  const name = [parameterOf(input, 'first_name'), parameterOf(input, 'last_name')].filter(Boolean).join(' ')
  const names = ['description', 'email', 'phone', 'address_string', 'media_url'] as const
  const sent = Object.fromEntries(names.map((argument) => [argument, parameterOf(input, argument)]))
  // If the request names no person, the calling program is the requester.
  const parsed = reportSchema.safeParse({ ...sent, name: name || key.name })
  if (parsed.success) return parsed.data
  const fieldErrors = parsed.error.issues.map(({ path, message }) => [
    path[0] === 'name' ? 'last_name' : path.join('.'),
    message,
  ])
  throw invalidArguments(Object.fromEntries(fieldErrors))
}

/** Creates a request that an Open311 program sent. The request gets a case and emails like any other request. */
export async function report(input: Open311Request, key: { id: number; name: string }): Promise<Open311Response> {
  const { call, company, context, params } = input
  const code = parameterOf(input, 'service_code')
  if (code === '') throw invalidArguments({ service_code: say`Send a service_code. GET services lists the codes.` })
  const sent = read(input, key)
  const checked = await call.reading(async (tx) => {
    const service = await serviceOf(tx, company.id, code)
    const today = dateIn(company.timeZone, context.clock.now())
    const answers = await acceptAnswers(service.definition, answersIn(service.definition, params), {
      today,
      findFile: async () => null,
      signer: null,
    })
    return { ...service, answers, location: await resolveReportLocation(tx, input, sent.address_string, service) }
  })
  const { category, version, answers, location } = checked
  const image = input.media && (await storePhoto(context, company.id, input.media))
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  await call.inCompany(async (tx) => {
    await enterRequest(tx, call, {
      id,
      category,
      location,
      sender: key.name,
      text: {
        description: withMedia(sent.description, sent.media_url),
        name: sent.name,
        email: sent.email,
        phone: nationalDigits(sent.phone),
        person_id: null,
        answers: JSON.stringify(answers),
        ...(version > 0 && { field_set_id: category.field_set_id, version }),
      },
      files: [],
    })
    await tx
      .insertInto('open311_request')
      .values({ company_id: company.id, request_id: id, key_id: key.id, media_url: sent.media_url })
      .execute()
    if (image) await attachTo(tx, image, ofOpening(requests, id))
    else if (sent.media_url !== '') {
      const photo: ReportedPhoto = { company: company.id, request: id, entry: null, url: sent.media_url }
      await context.jobs.enqueue(tx, IMAGE, photo)
    }
  })
  return {
    root: 'service_requests',
    value: [{ service_request_id: numberOf(id), service_notice: null, account_id: null }],
  }
}
