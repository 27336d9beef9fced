import { Trans, useLingui } from '@lingui/react/macro'
import { DateField, Select } from '../../../../web/ui/Choice.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { EntryList } from '../../../../web/ui/office/EntryList.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import type { SectionFields } from './fields.tsx'

const MAX_ANNOUNCEMENTS = 20

/** Section for the company's announcements. An announcement disappears automatically after its last day. */
export const AnnouncementsSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="announcements"
    title={<Trans>Announcements</Trans>}
    lead={<Trans>Each announcement is shown through its last day. The first sentence is emphasized.</Trans>}
  >
    {(form) => <Announcements form={form} />}
  </SectionForm>
)

function Announcements({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  return (
    <EntryList
      form={form}
      name="announcements"
      blank={{ location: 'landing', message: '', until: '' }}
      max={MAX_ANNOUNCEMENTS}
      addLabel={<Trans>Add an announcement</Trans>}
      emptyLabel={<Trans>No announcements yet.</Trans>}
      entryName={(at) => t`announcement ${at + 1}`}
    >
      {(path) => (
        <>
          <TextArea label={<Trans>Announcement text</Trans>} rows={2} {...form.field(`${path}.message`)} />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Select
              label={<Trans>Shown on</Trans>}
              options={[
                { value: 'landing', label: t`Residents' landing page` },
                { value: 'back_office', label: t`Staff back office` },
              ]}
              {...form.field(`${path}.location`)}
            />
            <DateField label={<Trans>Last day</Trans>} {...form.field(`${path}.until`)} />
          </div>
        </>
      )}
    </EntryList>
  )
}
