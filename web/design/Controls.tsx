import { Check, Download, Pencil, Printer, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatCents } from '../../shared/money.ts'
import { noLocation, type LocationValue } from '../../shared/places.ts'
import { states } from '../../shared/states.ts'
import { LocationField } from '../places/LocationField.tsx'
import { Button, type ButtonVariant, IconButton, LinkButton } from '../ui/Button.tsx'
import { Checkbox, DateField, RadioCards, Select } from '../ui/Choice.tsx'
import { FileUpload } from '../ui/FileUpload.tsx'
import { UploadProgress } from '../ui/UploadProgress.tsx'
import { MoneyField } from '../ui/MoneyField.tsx'
import { DateRange } from '../ui/office/DateRange.tsx'
import { SelectWithSearch } from '../ui/office/SelectWithSearch.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { StateField, TextArea, TextField, ZipField } from '../ui/TextField.tsx'
import { images, takePhoto } from './images.ts'
import { Columns, Row, Section } from './Section.tsx'

const appearances: ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger']

export const Buttons = () => (
  <Section title="Buttons">
    {appearances.map((variant) => (
      <Row key={variant}>
        <Button variant={variant}>Pay $149.31</Button>
        <Button variant={variant} icon={Download}>
          Export CSV
        </Button>
        <Button variant={variant} size="small">
          Small
        </Button>
        <Button variant={variant} busy busyLabel="Signing in...">
          Sign In
        </Button>
        <Button variant={variant} disabled>
          Not now
        </Button>
        <LinkButton variant={variant} to="/design">
          A link
        </LinkButton>
      </Row>
    ))}
    <Row>
      <IconButton icon={Pencil} label="Edit" />
      <IconButton icon={Printer} label="Print" />
      <IconButton icon={Trash2} label="Remove" disabled />
      <IconButton icon={Check} label="Complete" />
    </Row>
    <div className="bg-deep p-5">
      <Button variant="on-deep">On the deep color</Button>
    </div>
  </Section>
)

const sampleLocation: LocationValue = {
  text: '214 Sycamore Lane, Maple Grove, PA 17011',
  addressId: 1,
  lat: 40.2341,
  lon: -76.9237,
  metres: { x: 0, y: 0 },
}

const stateOptions = states.map(({ shortname, fullname }) => ({ value: shortname, label: fullname }))
const kinds = ['Town of', 'City of', 'Borough of', 'Village of']
const firsts = [
  'Ash',
  'Birch',
  'Cedar',
  'Elm',
  'Fern',
  'Glen',
  'Hazel',
  'Iron',
  'Juniper',
  'King',
  'Lake',
  'Maple',
  'North',
  'Oak',
  'Pine',
  'Quarry',
  'River',
  'Stone',
  'Thorn',
  'Union',
  'Vale',
  'West',
  'York',
  'Alder',
  'Brook',
]
const lasts = [
  'ford',
  'ville',
  'burg',
  'ton',
  'field',
  'haven',
  'view',
  'brook',
  'dale',
  'ridge',
  'mont',
  'port',
  'wood',
  'bury',
  'gate',
  'mere',
  'point',
  'grove',
  'hill',
  'crest',
]
const companies = firsts.flatMap((first, i) =>
  lasts.map((last, j) => ({
    value: i * lasts.length + j + 1,
    label: `${kinds[(i + j) % kinds.length]} ${first}${last}`,
  })),
)

export function Fields() {
  const [amount, setAmount] = useState<number | null>(123_456)
  const [pay, setPay] = useState<number | null>(1)
  const [company, setCompany] = useState<number | null>(null)
  const [location, setLocation] = useState(noLocation)
  const [range, setRange] = useState({ from: '2026-10-22', to: '2026-11-21' })
  return (
    <Section title="Fields">
      <Columns>
        <TextField label="Account number" hint="At the top right of your bill." />
        <TextField label="Email" type="email" optional placeholder="name@example.org" />
        <TextField label="City" defaultValue="Maple Grove" error="City is Required." />
        <TextField label="Not to be changed" defaultValue="P104465" disabled />
        <ZipField />
        <StateField hint="Two letters" />
        <PhoneField hint="xxx-xxx-xxxx" />
        <PhoneField label="Business Cell Phone" shape="profile" />
        <PasswordField />
        <MoneyField
          label="Amount"
          value={amount}
          onChange={setAmount}
          hint={amount === null ? 'No amount yet' : `${formatCents(amount)} is ${amount} cents`}
        />
        <Select label="State" options={stateOptions} placeholder="Choose a state" />
        <Select label="Company Timezone" options={stateOptions} error="Choose a time zone." />
        <DateField label="Due date" defaultValue="2026-11-30" />
        <SelectWithSearch
          label={`Company (${companies.length})`}
          options={companies}
          value={company}
          onChange={setCompany}
          placeholder="All companies"
        />
        <SelectWithSearch
          label="Primary Staff"
          options={companies.slice(0, 4)}
          value={null}
          onChange={setCompany}
          error="Primary Staff is required."
        />
        <DateRange label="Date range" {...range} from={range.from} to={range.to} onChange={setRange} />
        <DateRange label="Closed days" from="" to="" onChange={setRange} error="Choose both days." />
        <TextArea label="Description" hint="What happened, and where?" />
        <LocationField
          label="Where is it?"
          hint="An address, or a pin on the map."
          value={location}
          onChange={setLocation}
        />
        <LocationField label="Service address" optional value={sampleLocation} onChange={setLocation} disabled />
        <LocationField label="Place" value={noLocation} onChange={setLocation} error="Say where it is." />
      </Columns>
      <div className="mt-6 grid gap-6 lg:grid-cols-2">
        <RadioCards
          name="pay"
          label="How much do you want to pay?"
          value={pay}
          onChange={setPay}
          options={[
            { value: 1, label: 'Full', aside: '$149.31', note: 'Everything that is owed.' },
            { value: 2, label: 'Partial', note: 'Less than what is owed, at least $5.00.' },
            { value: 3, label: 'Other', note: 'Any amount up to $1,500.00.', disabled: true },
          ]}
        />
        <div className="flex flex-col gap-4">
          <RadioCards
            name="method"
            label="How do you want to pay?"
            value={null}
            onChange={() => {}}
            columns={2}
            error="Choose a way to pay."
            options={[
              { value: 1, label: 'Card' },
              { value: 2, label: 'eCheck' },
            ]}
          />
          <Checkbox label="Search for profiles without utility accounts" />
          <Checkbox label="I have read the terms" error="Tick this to go on." />
          <FileUpload label="Logo" takes={takePhoto} by={images} onChange={() => {}} />
          <UploadProgress upload={{ progress: { state: 'sending', percent: 40 }, stop: () => {} }} />
          <UploadProgress upload={{ progress: { state: 'cut', percent: 40 }, stop: () => {} }} />
          <UploadProgress upload={{ progress: { state: 'resumed', percent: 65 }, stop: () => {} }} />
        </div>
      </div>
    </Section>
  )
}
