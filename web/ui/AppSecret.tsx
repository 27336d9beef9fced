import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode } from './QrCode.tsx'

interface AppSecretProps {
  /** URI for the QR code: `otpauth://…`. */
  uri: string
  /** Secret in base32, for people who type it instead of scanning. */
  secret: string
  issuer: string
}

/** Returns the email address in a URI such as `otpauth://totp/Maple%20Grove:ann%40example.org?…`. */
const accountIn = (uri: string): string => decodeURIComponent(/:([^:/?]+)\?/.exec(uri)?.[1] ?? '')

/** Setup data for an authenticator app: a QR code to scan, and the secret to type instead. */
export function AppSecret({ uri, secret, issuer }: AppSecretProps) {
  const { t } = useLingui()
  const account = accountIn(uri)
  return (
    <>
      <p>
        <Trans>
          Scan this QR code with an authenticator app on your phone, such as Google Authenticator, Microsoft
          Authenticator or 2FAS.
        </Trans>
      </p>
      <QrCode text={uri} label={t`QR code for your authenticator app`} />
      <div>
        <p className="text-muted text-sm">
          <Trans>
            Or enter this key in the app, for the account "{issuer}: {account}":
          </Trans>
        </p>
        <p className="font-mono font-bold tracking-wide wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
    </>
  )
}
