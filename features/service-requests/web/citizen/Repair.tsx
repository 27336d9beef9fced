import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { messageOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { downloadRepairPhoto, type requestByLink } from '../../contract.ts'

interface RepairProps {
  token: string
  photos: ResponseOf<typeof requestByLink>['photos']
}

/** Photos of the finished work, which come from the work orders. */
export function Repair({ token, photos }: RepairProps) {
  const { t } = useLingui()
  const get = (photoId: string) =>
    void download(downloadRepairPhoto, { token, photoId }).catch((error: unknown) => toast(messageOf(error), 'danger'))
  return (
    <Card aria-labelledby="repair">
      <h2 id="repair" className="mb-3 text-h3">
        <Trans>Completed work</Trans>
      </h2>
      <ul className="flex flex-wrap gap-4">
        {photos.map(({ id, preview }, n) => (
          <li key={id} className="flex flex-col gap-2">
            {preview && (
              <img
                src={preview}
                alt={t`Completed work, photo ${n + 1}`}
                className="h-40 w-52 rounded-sm border border-line object-contain"
              />
            )}
            <Button size="small" icon={Download} aria-label={t`Download photo ${n + 1}`} onClick={() => get(id)}>
              <Trans>Download</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
