import { formatPhone } from '../../shared/phone.ts'

/** A phone number that is called by a press; a dash where there is none. */
export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a className="link" href={`tel:${phone}`}>
      {formatPhone(phone)}
    </a>
  ) : (
    '–'
  )
