import { Trans, useLingui } from '@lingui/react/macro'
import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import { toast } from './Toasts.tsx'
import './RecoveryCodes.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Name of the municipality or the administrator portal that the codes are for. */
  siteName: string
  /** Level of the heading. */
  level: 2 | 3
  onDone: () => void
}

/** Recovery codes, shown only once. The person must save them before continuing. */
export function RecoveryCodes({ codes, siteName, level, onDone }: RecoveryCodesProps) {
  const { t } = useLingui()
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  const Heading = level === 2 ? 'h2' : 'h3'
  const text = codes.join('\n')
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => toast(t`Copied.`),
      () => toast(t`Your browser does not allow automatic copying. Select the codes and copy them yourself.`, 'danger'),
    )
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${siteName}\n\n${text}\n`], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className="print-alone flex flex-col gap-4">
      <Heading ref={head} tabIndex={-1} className="text-h3">
        <Trans>Your recovery codes</Trans>
      </Heading>
      <p>
        <Trans>
          If you lose your phone, you can use each code once to sign in. This is the only time we will show these codes.
          Store them with your important documents, not on your phone.
        </Trans>
      </p>
      <ul
        aria-label={t`Recovery codes`}
        className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-6 gap-y-1 rounded-sm border border-line bg-tint px-4 py-3 font-bold font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={Copy} size="small" onClick={copy}>
          <Trans>Copy codes</Trans>
        </Button>
        <Button icon={Download} size="small" onClick={download}>
          <Trans>Download</Trans>
        </Button>
        <Button icon={Printer} size="small" onClick={() => globalThis.print()}>
          <Trans>Print</Trans>
        </Button>
      </div>
      <div>
        <Button variant="primary" onClick={onDone}>
          <Trans>I saved the codes</Trans>
        </Button>
      </div>
    </div>
  )
}
