import { Trans } from '@lingui/react/macro'
import { usePath } from '../../../web/routes.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'

export const FILES = '/municipality/manage/billing-files'

/** Shows the tabs for the exchange between the company and its billing system. */
export function BillingSections() {
  const path = usePath()
  const to = (screen: string) => ({ to: screen, active: path === screen })
  return (
    <Sections>
      <Section {...to(FILES)}>
        <Trans>Received files</Trans>
      </Section>
      <Section {...to(`${FILES}/remittances`)}>
        <Trans>Remittances</Trans>
      </Section>
    </Sections>
  )
}
