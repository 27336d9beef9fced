import { Trans, useLingui } from '@lingui/react/macro'
import { Copy, Printer } from 'lucide-react'
import { createPortal } from 'react-dom'
import { page } from '../../../web/page.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { QrCode } from '../../../web/ui/QrCode.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'

interface Props {
  url: string
  /** Title on the printed page. */
  title: string
  /** Extra lines on the printed page: amount due and purpose. */
  details?: readonly string[]
}

/** URL of a payment page, as text and as a QR code. People can copy or print it. */
export function PayLink({ url, title, details = [] }: Props) {
  const { t } = useLingui()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      toast(t`Link copied.`)
    } catch {
      toast(t`The browser did not allow copying. Select the link and copy it yourself.`, 'danger')
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="rounded-sm border border-line bg-paper px-3 py-2 font-mono text-sm wrap-anywhere">{url}</p>
      <div className="flex flex-wrap gap-2">
        <Button icon={Copy} onClick={() => void copy()}>
          <Trans>Copy link</Trans>
        </Button>
        <Button icon={Printer} onClick={() => window.print()}>
          <Trans>Print with QR code</Trans>
        </Button>
      </div>
      <QrCode text={url} label={t`QR code for this link`} />
      {createPortal(
        // Hidden on the screen. Only printing shows this part.
        <div className="paper-only">
          <h1>{title}</h1>
          <p className="mt-2 mb-4">{page().siteName}</p>
          {details.map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
          <p className="mt-4 mb-2">
            <Trans>
              Pay by card or eCheck: scan the QR code with your phone, or enter the web address in a browser.
            </Trans>
          </p>
          <QrCode text={url} label="" />
          <p className="mt-2 wrap-anywhere">{url}</p>
        </div>,
        document.body,
      )}
    </div>
  )
}
