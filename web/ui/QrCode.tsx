import { useEffect, useState } from 'react'

interface QrCodeProps {
  text: string
  /** What it is, for those who don't see it; '' where the text stands beside it. */
  label: string
}

/** Drawn by a program that is loaded for it alone. Black on white in every theme, as cameras want it. */
export function QrCode({ text, label }: QrCodeProps) {
  const [rows, setRows] = useState<boolean[][]>([])
  useEffect(() => {
    let wanted = true
    void import('uqr').then(({ encode }) => wanted && setRows(encode(text, { border: 2 }).data))
    return () => void (wanted = false)
  }, [text])
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
