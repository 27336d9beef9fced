import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

interface AppSecretProps {
  /** `otpauth://…`, for the QR code. */
  uri: string
  /** The same in base32, for who types it. */
  secret: string
  issuer: string
}

/** What an authenticator app is set up with: a picture to scan, and the text to type. */
export function AppSecret({ uri, secret, issuer }: AppSecretProps) {
  return (
    <>
      <p>
        <Trans>
          Scan this picture with an authenticator app on your phone, such as Google Authenticator, Microsoft
          Authenticator or 2FAS.
        </Trans>
      </p>
      <QrCode text={uri} />
      <div>
        <p className="text-muted text-sm">
          <Trans>Or type this key into the app, for the account "{issuer}":</Trans>
        </p>
        <p className="font-mono font-bold tracking-wide wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
    </>
  )
}

/** Drawn by a program that is loaded for it alone. Black on white in every theme, as cameras want it. */
function QrCode({ text }: { text: string }) {
  const { t } = useLingui()
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
      role="img"
      aria-label={t`QR code for your authenticator app`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 max-w-full self-start rounded-sm border border-line bg-[#fff] forced-color-adjust-none"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
