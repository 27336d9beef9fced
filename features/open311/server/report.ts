import * as z from 'zod/mini'
import { acceptAnswers } from '../../../server/fields/accept-answers.ts'
import { ofOpening } from '../../../server/cases/give-files.ts'
import { settlePlace } from '../../../server/places/at-point.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { mobileField, nameField } from '../../../shared/accounts.ts'
import { MESSAGE_LONG, noCardNumber } from '../../../shared/cases.ts'
import { dateIn } from '../../../shared/dates.ts'
import { emailOrNone } from '../../../shared/email.ts'
import { cleanText } from '../../../shared/fields/read.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { noPlace, type PlaceValue, placeValue } from '../../../shared/places.ts'
import { say } from '../../../shared/words.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests } from '../../service-requests/server/case.ts'
import { enterRequest, nextRequestId, yearOf } from '../../service-requests/server/enter-request.ts'
import { answersIn } from '../rules.ts'
import { type Open311Request, given, type Open311Response, wrongArguments } from './request.ts'
import { type Service, serviceOf } from './services.ts'
import { attachTo, keepPicture, PICTURE, type ReportedPhoto } from './take-picture.ts'

const URL_WRONG = 'media_url is the address of a picture, such as https://example.org/picture.jpg.'
export const mediaUrl = z.string().check(
  z.maxLength(500, URL_WRONG),
  z.refine((text) => text === '' || (/^https?:\/\/[^\s<>"]+$/.test(text) && URL.canParse(text)), { error: URL_WRONG }),
)
export const description = z.string().check(z.overwrite(cleanText), z.maxLength(4000, MESSAGE_LONG), noCardNumber)
const told = z.object({
  description,
  email: emailOrNone,
  phone: mobileField,
  name: nameField('Send a first_name or a last_name.'),
  address_string: placeValue.shape.text,
  media_url: mediaUrl,
})
type ReportInput = z.output<typeof told>

/** The words, and where a picture is: that stays readable where the picture itself can't be fetched. */
export const withMedia = (text: string, url: string): string => [text, url].filter(Boolean).join('\n\n')

const degrees = (text: string): number | null => (/^-?\d{1,3}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null)

/** Where it is, by what was sent; what is known of it here comes from `settlePlace`. */
async function placeIn(tx: Tx, asked: Open311Request, text: string, { category }: Service): Promise<PlaceValue> {
  const [lat, long, address] = [given(asked, 'lat'), given(asked, 'long'), given(asked, 'address_id')]
  const pin = { lat: degrees(lat), lon: degrees(long) }
  if (
    lat + long !== '' &&
    (pin.lat === null || pin.lon === null || !placeValue.safeParse({ ...noPlace, ...pin }).success)
  )
    throw wrongArguments({ lat: say`Send lat and long together, in degrees, such as 40.2 and -76.9.` })
  if (address !== '' && !/^[1-9]\d{0,14}$/.test(address))
    throw wrongArguments({ address_id: say`An address_id is a number that this server gave you.` })
  const place = { ...noPlace, ...pin, text, addressId: address === '' ? null : Number(address) }
  const settled = await settlePlace(tx, asked.company.id, place)
  if (address !== '' && settled.addressId === null)
    throw wrongArguments({ address_id: say`There is no address with this address_id.` })
  const isAnywhere = settled.text !== '' || settled.lat !== null
  if (pin.lat !== null && !isAnywhere) throw wrongArguments({ lat: say`This place is not near the municipality.` })
  if (category.needs_place === 1 && !isAnywhere)
    throw wrongArguments({ lat: say`Say where it is: lat and long, address_string, or address_id.` })
  return settled
}

function read(asked: Open311Request, key: { name: string }): ReportInput {
  const name = [given(asked, 'first_name'), given(asked, 'last_name')].filter(Boolean).join(' ')
  const names = ['description', 'email', 'phone', 'address_string', 'media_url'] as const
  const sent = Object.fromEntries(names.map((argument) => [argument, given(asked, argument)]))
  // Of somebody whom the program does not name, it is the program that reports.
  const parsed = told.safeParse({ ...sent, name: name || key.name })
  if (parsed.success) return parsed.data
  const says = parsed.error.issues.map(({ path, message }) => [
    path[0] === 'name' ? 'last_name' : path.join('.'),
    message,
  ])
  throw wrongArguments(Object.fromEntries(says))
}

/** Takes a request of another portal: the same row, conversation and mail as one of our own. */
export async function report(asked: Open311Request, key: { id: number; name: string }): Promise<Open311Response> {
  const { call, company, context, params } = asked
  const code = given(asked, 'service_code')
  if (code === '') throw wrongArguments({ service_code: say`Say the service_code: GET services lists them.` })
  const sent = read(asked, key)
  const judged = await call.reading(async (tx) => {
    const service = await serviceOf(tx, company.id, code)
    const today = dateIn(company.timeZone, context.clock.now())
    const answers = await acceptAnswers(service.definition, answersIn(service.definition, params), {
      today,
      findFile: async () => null,
      signer: null,
    })
    return { ...service, answers, place: await placeIn(tx, asked, sent.address_string, service) }
  })
  const { category, version, answers, place } = judged
  const picture = asked.media && (await keepPicture(context, company.id, asked.media))
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  await call.inCompany(async (tx) => {
    await enterRequest(tx, call, {
      id,
      category,
      place,
      sender: key.name,
      told: {
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
    if (picture) await attachTo(tx, picture, ofOpening(requests, id))
    else if (sent.media_url !== '') {
      const told: ReportedPhoto = { company: company.id, request: id, entry: null, url: sent.media_url }
      await context.jobs.enqueue(tx, PICTURE, told)
    }
  })
  return {
    root: 'service_requests',
    value: [{ service_request_id: numberOf(id), service_notice: null, account_id: null }],
  }
}
