import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { CORRECTION, correctionRow, csvTextOf } from '../../../shared/csv.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { Button } from '../Button.tsx'

interface CorrectionFileProps {
  /** Column names of the imported file. */
  headers: readonly string[]
  rows: ImportReport['invalidRows']
}

/**
 * Button that saves the rows with errors, with their columns and the correction that each row needs. Staff correct this
 * file and import it with the same columns.
 */
export function CorrectionFile({ headers, rows }: CorrectionFileProps) {
  const save = () => {
    const lines = rows.map(({ where, reason, cells = [] }) => correctionRow(headers, cells, where, reason))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([csvTextOf([[...headers, CORRECTION], ...lines])], { type: 'text/csv' }))
    link.download = 'rows-with-errors.csv'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <p className="mt-3">
      <Button size="small" icon={Download} onClick={save}>
        <Trans>Download rows with errors</Trans>
      </Button>
    </p>
  )
}
