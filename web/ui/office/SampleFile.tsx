import { Trans } from '@lingui/react/macro'
import { downloadImportSample, type SampleKind } from '../../../shared/imports.ts'
import { messageOf } from '../../call.ts'
import { download } from '../../download.ts'
import { Button } from '../Button.tsx'
import { toast } from '../Toasts.tsx'

/** Buttons that download a sample file of an import. */
export function SampleFile({ kind }: { kind: SampleKind }) {
  const save = (format: 'csv' | 'xlsx') =>
    void download(downloadImportSample, { kind, format }).catch((error: unknown) => toast(messageOf(error), 'danger'))
  return (
    <p className="flex flex-wrap items-center text-sm">
      <Trans>Download a sample:</Trans>
      <Button variant="quiet" size="small" onClick={() => save('xlsx')}>
        <Trans>Excel (XLSX)</Trans>
      </Button>
      <Button variant="quiet" size="small" onClick={() => save('csv')}>
        <Trans>CSV</Trans>
      </Button>
    </p>
  )
}
