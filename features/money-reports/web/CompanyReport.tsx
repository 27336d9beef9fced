import type { ReactNode } from 'react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import type { feeReport, profitReport } from '../list.ts'
import { companyField, companyOf } from './report-filters.tsx'
import { Text } from '../../../web/ui/Text.tsx'

interface CompanyReportProps {
  of: typeof feeReport | typeof profitReport
  /** How its money is counted. */
  note: ReactNode
  /** Shows one company in full. */
  open: (companyId: number, onClose: () => void) => ReactNode
  /** Stands under the list. */
  children?: ReactNode
}

/** A report with a row for each company, and one of them opened. */
export function CompanyReport({ of, note, open, children }: CompanyReportProps) {
  const shown = companyOf({ companyId: useQueryParam('of') ?? '' })
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
      <Text>{shown !== undefined && open(shown, () => setQuery({ of: null }))}</Text>
    </>
  )
}
