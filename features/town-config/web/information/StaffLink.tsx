import type { ReactNode } from 'react'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import type { SectionProps } from './SectionForm.tsx'

const STAFF = '/municipality/manage/manage-staff'

/** Link to the staff of the company. The administrator portal opens the municipality's site in a new window. */
export const StaffLink = ({ companyConfig, children }: SectionProps & { children: ReactNode }) =>
  companyConfig.isPlatform ? (
    <LinkButton to={companyConfig.company.url + STAFF} target="_blank">
      {children}
    </LinkButton>
  ) : (
    <LinkButton to={STAFF}>{children}</LinkButton>
  )
