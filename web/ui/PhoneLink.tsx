import { formatPhone } from '../../shared/phone.ts'

/** Phone number as a link that calls it. Shows a dash if the number is empty. */
export const PhoneLink = ({ phone }: { phone: string }) =>
  phone ? (
    <a className="link" href={`tel:${phone}`}>
      {formatPhone(phone)}
    </a>
  ) : (
    '–'
  )
