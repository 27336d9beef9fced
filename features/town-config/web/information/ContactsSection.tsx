import { Trans, useLingui } from '@lingui/react/macro'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { EntryList } from '../../../../web/ui/office/EntryList.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import { StaffLink } from './StaffLink.tsx'
import type { SectionFields } from './fields.tsx'

const MAX_CONTACTS = 30

/** Section for the company's contacts. Platform staff manage departments, staff and privileges on a separate screen. */
export const ContactsSection = ({ companyConfig }: SectionProps) => (
  <>
    <SectionForm
      companyConfig={companyConfig}
      section="contacts"
      title={<Trans>Contacts</Trans>}
      lead={<Trans>People at the municipality that Mainstreet can contact. They do not need an account here.</Trans>}
    >
      {(form) => <Contacts form={form} />}
    </SectionForm>
    <div className="mt-6 border-line border-t pt-4">
      <StaffLink companyConfig={companyConfig}>
        <Trans>Departments, staff and privileges</Trans>
      </StaffLink>
    </div>
  </>
)

function Contacts({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  return (
    <EntryList
      form={form}
      name="contacts"
      blank={{ name: '', title: '', phone: '', email: '' }}
      max={MAX_CONTACTS}
      addLabel={<Trans>Add a contact</Trans>}
      emptyLabel={<Trans>No contacts yet.</Trans>}
      entryName={(at) => String(form.watch(`contacts.${at}.name`) ?? '') || t`contact ${at + 1}`}
    >
      {(path) => (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField label={<Trans>Name</Trans>} autoComplete="off" {...form.field(`${path}.name`)} />
          <TextField label={<Trans>Job title</Trans>} optional autoComplete="off" {...form.field(`${path}.title`)} />
          <PhoneField optional {...form.field(`${path}.phone`)} autoComplete="off" />
          <TextField
            type="email"
            label={<Trans>Email</Trans>}
            optional
            autoComplete="off"
            {...form.field(`${path}.email`)}
          />
        </div>
      )}
    </EntryList>
  )
}
