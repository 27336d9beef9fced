import { Trans, useLingui } from '@lingui/react/macro'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { ONBOARDING } from '../../../onboarding/rules.ts'
import { municipalityUsers } from '../../../staff/contract.ts'
import { labelOf } from '../../report.ts'
import { processorList } from '../../contract.ts'
import SetProcessor from '../SetProcessor.tsx'
import { SectionForm, SectionTitle, type SectionProps } from './SectionForm.tsx'
import { StaffLink } from './StaffLink.tsx'

/** Section for the payment processor and the company's contacts for it (spec 2.15). */
export const ProcessorsSection = (props: SectionProps) =>
  props.companyConfig.isPlatform ? <Processor {...props} /> : <Contacts {...props} />

/** Lists the staff of the company who can be contacts, for those who may see the staff. */
function useStaff({ company, can }: SectionProps['companyConfig']) {
  const body = { companyId: company.id, fromUtilSetUp: true }
  const { data } = useResponse(municipalityUsers, body, { enabled: can.seeStaff })
  return data?.users.map(({ id, first_name, last_name }) => ({ value: id, label: `${first_name} ${last_name}` }))
}

function Processor({ companyConfig }: SectionProps) {
  const { company, config, can } = companyConfig
  const { processor_id, primary_contact, secondary_contact } = config.processors
  const open = useQueryParam('processor') !== null
  const companyId = company.id
  const list = useResponse(processorList, { companyId })
  const staff = useStaff(companyConfig)
  const processor = list.data?.processors.find((one) => one.processorId === processor_id)?.name ?? '…'
  const nameOf = (id: number | null) =>
    staff?.find(({ value }) => value === id)?.label ?? (id === null ? <Trans>Not assigned</Trans> : '…')
  return (
    <>
      <SectionTitle
        lead={<Trans>The processor for utility bill payments, and its contacts at the municipality.</Trans>}
      >
        <Trans>Processor</Trans>
      </SectionTitle>
      <DetailList
        details={[
          [labelOf('processor_id'), processor],
          [labelOf('primary_contact'), nameOf(primary_contact)],
          [labelOf('secondary_contact'), nameOf(secondary_contact)],
        ]}
      />
      <div className="mt-5 flex flex-wrap gap-3">
        {can.update && (
          <Button variant="primary" onClick={() => setQuery({ processor: String(companyId) })}>
            <Trans>Set Utility Processor</Trans>
          </Button>
        )}
        <StaffLink companyConfig={companyConfig}>
          <Trans>Staff and departments</Trans>
        </StaffLink>
      </div>
      {open && <SetProcessor companyId={companyId} onClose={() => setQuery({ processor: null })} />}
    </>
  )
}

/** Contacts of the processor at the municipality. The platform sets the processor. */
function Contacts({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  const staff = useStaff(companyConfig)
  const { seeStaff } = companyConfig.can
  return (
    <>
      <SectionForm
        companyConfig={companyConfig}
        section="processors"
        title={<Trans>Processor</Trans>}
        lead={<Trans>Your staff members whom the payment processor contacts.</Trans>}
        toFormValues={(stored) =>
          Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, value ?? '']))
        }
      >
        {(form) =>
          seeStaff ? (
            ['primary_contact', 'secondary_contact'].map((name) => (
              <Select
                // A new key renders the field again when the choices arrive, because they load after the value.
                key={staff ? name : `${name} loading`}
                label={labelOf(name)}
                options={[{ value: '', label: t`Not assigned` }, ...(staff ?? [])]}
                disabled={!staff}
                {...form.field(name)}
              />
            ))
          ) : (
            <p>
              <Trans>To choose the contacts, you need the privilege “View” in “Staff”.</Trans>
            </p>
          )
        }
      </SectionForm>
      <div className="mt-6 border-line border-t pt-4">
        <LinkButton to={ONBOARDING}>
          <Trans>Payment Provider Onboarding</Trans>
        </LinkButton>
      </div>
    </>
  )
}
