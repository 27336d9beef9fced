import { Trans } from '@lingui/react/macro'
import { setQuery } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { municipalityUsers } from '../../../staff/contract.ts'
import { labelOf } from '../../report.ts'
import { processorList } from '../../contract.ts'
import SetProcessor from '../SetProcessor.tsx'
import { SectionTitle, type SectionProps } from './SectionForm.tsx'

/** Section for the payment processor and the company's contacts for it (spec 2.15). */
export function ProcessorsSection({ companyConfig }: SectionProps) {
  const { company, config, can } = companyConfig
  const { processor_id, primary_contact, secondary_contact } = config.processors
  const open = useQueryParam('processor') !== null
  const companyId = company.id
  const list = useResponse(processorList, { companyId })
  const staff = useResponse(municipalityUsers, { companyId, fromUtilSetUp: true }, { enabled: can.seeStaff })
  const processor = list.data?.processors.find((one) => one.processorId === processor_id)?.name ?? '…'
  const nameOf = (id: number | null) => {
    const person = staff.data?.users.find((user) => user.id === id)
    return person ? `${person.first_name} ${person.last_name}` : id === null ? <Trans>Not assigned</Trans> : '…'
  }
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
        <LinkButton to={`${company.url}/municipality/manage/manage-staff`} target="_blank">
          <Trans>Staff and departments</Trans>
        </LinkButton>
      </div>
      {open && <SetProcessor companyId={companyId} onClose={() => setQuery({ processor: null })} />}
    </>
  )
}
