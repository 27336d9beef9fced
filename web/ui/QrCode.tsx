import { useLazyModule } from './use-lazy-module.ts'

interface QrCodeProps {
  text: string
  /** Alternative text of the code, or '' if the text is next to it. */
  label: string
}

/**
 * QR code. Its library is loaded on demand. The code is black on white in all themes, because cameras need the
 * contrast.
 */
export function QrCode({ text, label }: QrCodeProps) {
  // Without a connection, the code stays empty. The page also shows its text.
  const { loaded } = useLazyModule(() => import('uqr'))
  const rows = loaded?.encode(text, { border: 2 }).data ?? []
  const path = rows.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  const size = rows.length || 1
  return (
    <svg
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 max-w-full self-start rounded-sm border border-line bg-[#fff] forced-color-adjust-none"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
