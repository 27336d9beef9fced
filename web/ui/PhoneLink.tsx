import { formatPhone } from '../../shared/phone.ts'

/** A phone number as a link that calls it, or a dash without a number. */
export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a className="link" href={`tel:${phone}`}>
      {formatPhone(phone)}
    </a>
  ) : (
    '–'
  )
