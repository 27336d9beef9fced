import { Trans, useLingui } from '@lingui/react/macro'
import { ExternalLink, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { createCompany } from '../../companies/contract.ts'
import { INVITE_ADMINISTRATOR } from '../../staff/rules.ts'
import { askingCompanyForm, blank, type CompanyOutput, informationOf, namesFor } from './company-form.ts'
import { CompanyFields } from './CompanyFields.tsx'
import { CompanySlideOut, Refused } from './CompanySlideOut.tsx'

type Created = ResponseOf<typeof createCompany>
type Outcome = { created: Created; isOnline: boolean } | { refusal: string }

const names = namesFor()
const schema = askingCompanyForm(names)

/** Form to create a company (spec 2.14, 4.11, 5.2). Typed values survive errors, closing and a reload. */
export default function CreateCompany({ onClose }: { onClose: () => void }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [start, setStart] = useState('')
  const form = useZodForm(schema, { defaultValues: blank, draft: { name: 'create-company' } })

  const create = async (values: CompanyOutput) => {
    try {
      setOutcome({ created: await call(createCompany, values), isOnline: values.online === 1 })
      void reload(companiesInformation)
    } catch (error) {
      setOutcome({ refusal: messageOf(error) })
      throw error
    } finally {
      // Clears the cached checks of both names, because they may now be outdated.
      names.name.forget()
      names.subdomain.forget()
    }
  }
  return (
    <>
      <CompanySlideOut
        id="create-company"
        title={<Trans>Create Company</Trans>}
        form={form}
        onSave={create}
        onClose={onClose}
      >
        <CompanyFields form={form} names={names} isNew />
        <StartFrom value={start} onChange={setStart} />
      </CompanySlideOut>
      {outcome && 'refusal' in outcome && <Refused message={outcome.refusal} onClose={() => setOutcome(null)} />}
      {outcome && 'created' in outcome && (
        // Opens the other settings of the new company after the dialog closes (spec 4.11).
        <Success
          {...outcome.created}
          isOnline={outcome.isOnline}
          onClose={() => go(informationOf(outcome.created.companyId, startQuery(start)))}
        />
      )}
    </>
  )
}

const startQuery = (start: string) => (start === '' ? '' : `?section=transfer&from=${start}`)

/**
 * Select for the settings to import into the new company: the defaults, a file, or another company's settings. The
 * settings page shows the changes before they are applied.
 */
function StartFrom({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui()
  const { data } = useResponse(companiesInformation, {})
  return (
    <Select
      label={t`Import settings from`}
      hint={t`You can review the changes before anything is imported.`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: t`Mainstreet's defaults` },
        { value: 'file', label: t`A file exported from Mainstreet` },
        ...(data?.companies ?? []).map(({ id, name }) => ({ value: id, label: t`Settings for ${name}` })),
      ]}
    />
  )
}

const Success = ({
  companyId,
  message,
  url,
  isOnline,
  onClose,
}: Created & { isOnline: boolean; onClose: () => void }) => (
  <Dialog
    title={<Trans>Success</Trans>}
    onClose={onClose}
    actions={
      <>
        <Button variant="primary" onClick={onClose}>
          <Trans>Set up municipality</Trans>
        </Button>
        <LinkButton to={`/admin/${companyId}/company/staff?${INVITE_ADMINISTRATOR}`} icon={UserPlus}>
          <Trans>Invite administrator</Trans>
        </LinkButton>
        <LinkButton to={url} target="_blank" icon={ExternalLink}>
          <Trans>Open municipality site</Trans>
        </LinkButton>
      </>
    }
  >
    <p>{message}</p>
    <p className="mt-2 text-muted">
      {isOnline ? (
        <Trans>The site is now available at {url}.</Trans>
      ) : (
        <Trans>Residents see the offline message at {url}. Staff can sign in there and prepare the site.</Trans>
      )}
    </p>
  </Dialog>
)
