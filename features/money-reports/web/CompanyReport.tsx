import type { ReactNode } from 'react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import type { feeReport, profitReport } from '../list.ts'
import { companyField, companyOf } from './report-filters.tsx'
import { Text } from '../../../web/ui/Text.tsx'

interface CompanyReportProps {
  of: typeof feeReport | typeof profitReport
  /** Note on how the report counts money. */
  note: ReactNode
  /** Renders the details of one company. */
  open: (companyId: number, onClose: () => void) => ReactNode
  /** Content below the list. */
  children?: ReactNode
}

/** Report with a row for each company, and the details of the selected company. */
export function CompanyReport({ of, note, open, children }: CompanyReportProps) {
  const openCompany = companyOf({ companyId: useQueryParam('of') ?? '' })
  const show = ({ id }: { id: number }) => setQuery({ of: String(id) })
  return (
    <>
      <ListScreen
        of={of}
        rowName={({ name }) => name}
        cells={{ name: ({ name }) => <strong>{name}</strong> }}
        filters={{ companyId: companyField }}
        actions={{ view: show }}
        onRow={show}
        note={<p className="mt-4 max-w-text text-muted text-sm">{note}</p>}
      />
      <Text>{children}</Text>
      <Text>{openCompany !== undefined && open(openCompany, () => setQuery({ of: null }))}</Text>
    </>
  )
}
