import { useState } from 'react'
import * as z from 'zod/mini'
import { CallError } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { ConfirmDialog, Dialog, SlideOut } from '../ui/Dialog.tsx'
import { Form } from '../ui/Form.tsx'
import { useZodForm } from '../ui/form.ts'
import { SelectWithSearch } from '../ui/office/SelectWithSearch.tsx'
import { PhoneField } from '../ui/PhoneField.tsx'
import { StateField, TextField, ZipField } from '../ui/TextField.tsx'
import { toast } from '../ui/Toasts.tsx'
import { Row, Section } from './Section.tsx'

const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message))

const company = z.object({
  companyName: required('Company Name is required.'),
  city: required('City is Required.'),
  state: required('State is Required.'),
  zip: required('Zipcode is Required.'),
  phone: required('Phone number is Required.'),
  website: required('Company website is Required.'),
  subdomain: required('Subdomain is Required.'),
  online: required('Online Status is Required.'),
  processor: z.int('A processor is required.'),
})

const processors = [
  { value: 1, label: 'Sandbox' },
  { value: 2, label: 'Stripe' },
]

function CompanyForm({ onDone }: { onDone: () => void }) {
  const form = useZodForm(company, {
    defaultValues: { companyName: '', city: '', state: '', zip: '', phone: '', website: '', subdomain: '', online: '' },
    draft: { name: 'design-company' },
  })
  return (
    <Form
      id="company"
      form={form}
      onSubmit={async ({ companyName, subdomain }) => {
        if (companyName === 'refuse') throw new CallError(422, 'rejected', 'The server said no.', {}, 'E-4471')
        if (subdomain === 'taken')
          throw new CallError(422, 'rejected', 'Subdomain already exists.', {
            fields: { subdomain: 'Subdomain already exists.' },
          })
        await Promise.resolve()
        toast('Company saved.')
        onDone()
      }}
    >
      <TextField label="Company Name" {...form.field('companyName')} />
      <TextField label="City" {...form.field('city')} />
      <StateField hint="Two letters" {...form.field('state')} />
      <ZipField label="Zip Code" hint="Five digits" {...form.field('zip')} />
      <PhoneField hint="xxx-xxx-xxxx" {...form.field('phone')} />
      <TextField label="Company Website" {...form.field('website')} />
      <TextField label="SubDomain" hint="Lower-case letters, digits and dashes" {...form.field('subdomain')} />
      <Select
        label="Is Online"
        placeholder="Choose"
        options={[
          { value: 1, label: 'Yes' },
          { value: 0, label: 'No' },
        ]}
        {...form.field('online')}
      />
      <SelectWithSearch label="Select a processor" options={processors} {...form.choice('processor')} />
    </Form>
  )
}

type Open = 'dialog' | 'confirm' | 'slide-out' | null

export function Overlays() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Section title="Overlays">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Open the dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Open the confirmation</Button>
        <Button onClick={() => setOpen('slide-out')}>Open the slide-out</Button>
        <Button onClick={() => toast('Profile saved.')}>Toast: done</Button>
        <Button onClick={() => toast('The line was lost. Nothing was charged.', 'danger')}>Toast: error</Button>
      </Row>
      {open === 'dialog' && (
        <Dialog title="Event Details" onClose={close} actions={<Button onClick={close}>Close</Button>}>
          <p>Meter reading, Oak Street. November 24, 2026, 9:00 AM to 11:30 AM.</p>
        </Dialog>
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Cancel this request?"
          confirmLabel="Cancel the request"
          danger
          onConfirm={close}
          onClose={close}
        >
          <p>The town will not work on it any more. You can send a new one at any time.</p>
        </ConfirmDialog>
      )}
      {open === 'slide-out' && (
        <SlideOut
          title="Create Company"
          onClose={close}
          actions={
            <>
              <Button type="submit" form="company" variant="primary">
                Save
              </Button>
              <Button onClick={close}>Cancel</Button>
            </>
          }
        >
          <CompanyForm onDone={close} />
        </SlideOut>
      )}
    </Section>
  )
}
