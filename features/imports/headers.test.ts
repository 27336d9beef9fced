import { expect, test } from 'vitest'
import { type Column, importColumns } from '../../server/columns.ts'
import { guessColumns } from '../../server/guess-columns.ts'
import '../customers/server/import-customers.ts'
import '../forms/server/import-permits.ts'
import '../registration/server/import-registrations.ts'
import '../rentals/server/import-reservations.ts'

/**
 * Headers as older systems write them, by kind: `name > our name`, or `name > - content` for a column that the import
 * leaves out.
 */
const HEADERS: Record<string, string> = {
  customers: `
Customer Name > name | Email > email | Phone > phone | Service Address > address | City > city | State > state | Zip > zip | Account Number > account
First Name > first | Last Name > last | E-mail Address > email | Mobile Phone > phone | Street Address > address | Town > city | ST > state | Zip Code > zip | Acct # > account
LAST_NAME > last | FIRST_NAME > first | EMAIL_ADDR > email | HOME_PHONE > phone | MAILING_ADDRESS > address | MAILING_CITY > city | MAILING_STATE > state | MAILING_ZIP > zip | ACCT_NO > account
Account Holder > name | Email Address > email | Telephone > phone | Address 1 > address | Postal Code > zip | Accounts > account | Language > - text
Bill To Name > name | Customer Email > email | Cell > phone | Service Addr > address | Service City > city | Service State > state | Service Zip > zip | Acct Nbr > account | Rate Class > - text
Owner Name > name | Login > email | Contact Phone > phone | AddressLine1 > address | City > city | State > state | ZIP > zip | Utility Account Number > account`,
  permits: `
Permit Number > number | Permit Type > form | Status > status | Apply Date > - date | Issue Date > issued | Expire Date > expires | Address > address | Contact Name > name | Contact Email > email | Contact Phone > phone | Description > details
RECORD ID > number | RECORD TYPE > form | RECORD STATUS > status | DATE OPENED > - date | DATE ISSUED > issued | EXPIRATION DATE > expires | APPLICANT NAME > name | APPLICANT EMAIL > email | LOCATION > address
Record # > number | Record Type > form | Applicant Full Name > name | Applicant Email > email | Date Submitted > - date | Issued Date > issued | Expiration > expires | Location Address > address | Amount Paid > fee
LicenseNumber > number | LicenseType > form | Licensee > name | DateIssued > issued | DateExpires > expires | LicenseStatus > status | LicenseFee > fee | BusinessAddress > address | BusinessPhone > phone
License No > number | License Class > form | Owner First Name > first | Owner Last Name > last | Owner Email > email | Owner Phone > phone | Street Address > address | Issued > issued | Expiry Date > expires | Tag Color > - text
Permit # > number | Type of Permit > form | Permit Holder > name | Permit Date > issued | Valid Thru > expires | Work Description > details | Total Fees > fee | Inspector > - text
LIC_NBR > number | LIC_TYPE > form | BUSINESS_NAME > name | ISSUE_DT > issued | EXP_DT > expires | LIC_STATUS > status | FEE_AMT > fee | COMMENTS > details`,
  registrations: `
Registration Number > number | Registration Type > kind | Property Name > name | Owner Name > - text | Owner Email > email | Property Address > address | Registration Date > registered | Expiration Date > confirmBy | Status > status | Number of Units > units
LICENSE # > number | TYPE > kind | BUSINESS NAME > name | E-MAIL > email | LOCATION > address | DATE ISSUED > registered | EXP DATE > confirmBy | LICENSE STATUS > status | BUSINESS PHONE > contactPhone | BUSINESS TYPE > trade
RentalLicenseNumber > number | RecordType > kind | ComplexName > name | LandlordEmail > email | RentalAddress > address | IssueDate > registered | ValidThrough > confirmBy | NextInspectionDate > inspectBy | UnitCount > units | LocalAgent > contact | LocalAgentPhone > contactPhone
Reg No > number | Category > kind | Contractor Name > name | Contact Email > email | Street Address > address | Created > registered | Renewal Date > confirmBy | Contact Person > contact | Contact Phone > contactPhone | State License # > license
Record ID > number | Record Type > kind | DBA > name | Email Address > email | Business Address > address | Effective Date > registered | Expires > confirmBy | Current Status > status | Nature of Business > trade | Emergency Phone > contactPhone
Property ID > number | Property Type > kind | Building > name | Account No > account | Situs Address > address | Date Registered > registered | Due Date > confirmBy | Inspection Due > inspectBy | Units > units | Property Manager > contact | Manager Phone > contactPhone
REG_ID > number | REG_TYPE > kind | HOUSEHOLD > name | EMAIL > email | ADDRESS > address | REG_DATE > registered | EXPIRES_ON > confirmBy | OCCUPANTS > people | PETS > pets | KEY_HOLDER > contact`,
  reservations: `
Permit # > number | Facility > resource | Start Date > from | Start Time > fromTime | End Date > until | End Time > untilTime | Customer Name > name | Email > email | Phone > phone | Event > purpose | Attendance > guests | Total Charges > price | Balance > due | Status > status
Reservation_ID > number | Facility_Name > resource | Room_Name > space | Start_DateTime > from | End_DateTime > until | Contact_Name > name | Contact_Email > email | Contact_Phone > phone | Event_Type > purpose | Head_Count > guests | Rental_Fee > price | Damage_Deposit > deposit
BookingNo > number | Venue > resource | EventDate > from | TimeFrom > fromTime | TimeTo > untilTime | FirstName > first | LastName > last | EmailAddress > email | MobilePhone > phone | Description > purpose | Participants > guests | Fee > price | BookedOn > created
Confirmation Number > number | Resource Name > resource | Date > from | Begin Time > fromTime | Finish Time > untilTime | Renter > name | Telephone > phone | Activity > purpose | Number of Guests > guests | Deposit > deposit | Amount > price | Residency > resident | Employee > - text
BOOKING ID > number | SHELTER > resource | RESERVATION DATE > from | TIME IN > fromTime | TIME OUT > untilTime | PERMIT HOLDER > name | E-MAIL > email | CELL > phone | HEADCOUNT > guests | TOTAL > price | BALANCE DUE > due | PAYMENT DUE > payBy | BOOKING STATUS > status
Contract Number > number | Site > resource | Subfacility > space | Starts > from | Ends > until | Full Name > name | Email Address > email | Phone Number > phone | Purpose > purpose | Qty > pieces | Charges > price | Date Booked > created`,
}

/** Values of the rows, by our name or by the content of a column that the import leaves out. */
const VALUES: Record<string, readonly string[]> = {
  number: ['P-1014', 'P-1022', 'P-1035'],
  name: ['Ann Lee', 'Bo Reese', 'Cy Park'],
  first: ['Ann', 'Bo', 'Cy'],
  last: ['Lee', 'Reese', 'Park'],
  email: ['ann@example.com', 'bo@example.com', 'cy@example.com'],
  phone: ['(717) 555-0100', '717-555-0101', '717-555-0102'],
  from: ['12/1/2026', '12/2/2026', '12/2/2026'],
  until: ['12/1/2026', '12/2/2026', '12/2/2026'],
  fromTime: ['9:00 AM', '10:00 AM', '1:00 PM'],
  untilTime: ['11:00 AM', '12:00 PM', '3:30 PM'],
  resource: ['Lions Pavilion', 'Town Hall', 'Lions Pavilion'],
  space: ['North', 'Room 2', ''],
  purpose: ['Birthday', 'Meeting', 'Picnic'],
  guests: ['35', '12', '80'],
  pieces: ['1', '2', '1'],
  price: ['$100.00', '50.00', '0.00'],
  deposit: ['50.00', '50.00', '0.00'],
  due: ['0.00', '25.00', '0.00'],
  payBy: ['11/25/2026', '11/25/2026', '11/26/2026'],
  created: ['2026-09-01', '2026-09-02', '2026-09-03'],
  address: ['12 Oak Street', '14 Oak Street', '201 Elm Avenue'],
  city: ['Maple Grove', 'Maple Grove', 'Harbor City'],
  state: ['PA', 'PA', 'PA'],
  zip: ['17011', '17011', '17043-1234'],
  account: ['100014', '100237', '100301; 100302'],
  status: ['Confirmed', 'Confirmed', 'Pending'],
  resident: ['Yes', 'No', 'Yes'],
  form: ['Dog license', 'Dog license', 'Block party'],
  issued: ['1/15/2026', '2/1/2026', '2/1/2026'],
  expires: ['12/31/2026', '1/31/2027', '1/31/2027'],
  fee: ['$15.00', '0.00', '25.00'],
  details: ['Juno, beagle', 'Max', 'Elm Street'],
  kind: ['Rental property', 'Business', 'Rental property'],
  registered: ['3/1/2025', '4/1/2025', '4/1/2025'],
  confirmBy: ['3/1/2027', '4/1/2027', '4/1/2027'],
  inspectBy: ['6/1/2027', '7/1/2027', '7/1/2027'],
  units: ['2', '4', '12'],
  contact: ['Bo Reese', 'Cy Park', 'Bo Reese'],
  contactPhone: ['(717) 555-0100', '717-555-0101', '717-555-0102'],
  trade: ['Bakery', 'Roofing', 'Bakery'],
  license: ['PA-104', 'PA-208', 'PA-302'],
  people: ['Ann Lee; Bo Lee', 'Cy Park', ''],
  pets: ['Juno (dog)', '', ''],
  '- date': ['1/2/2026', '1/3/2026', '1/3/2026'],
  '- text': ['see office', 'yes', ''],
}

const layouts = Object.entries(HEADERS).flatMap(([kind, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => [kind, line.split(' | ').map((column) => column.split(' > ') as [string, string])] as const),
)

test.each(layouts)('guesses the columns of %s: %j', (kind, layout) => {
  const columns = importColumns.get(kind)
  if (!columns) throw new Error(`${kind} has no columns`)
  const declared: Record<string, Column | undefined> = columns.columns
  const { mapping, contradictions } = guessColumns(
    columns,
    layout.map(([header]) => header),
    (nth) => (VALUES[layout[nth]?.[1] ?? ''] ?? []).filter((value) => value !== ''),
  )
  const expected = layout.map(([, name]) => (declared[name] ? name : ''))
  expect(mapping.columns).toEqual(expected)
  expect([...contradictions]).toEqual([])
})
