import { Trans, useLingui } from '@lingui/react/macro'
import { digitsOf, formatPhone } from '../../shared/phone.ts'
import { page } from '../page.ts'
import { type LazyPanel, useLazyPanel } from '../lazy-panel.tsx'
import { Measure } from '../ui/Page.tsx'
import { Text } from '../ui/Text.tsx'

const link = 'underline underline-offset-4 decoration-1 hover:decoration-3 rounded-sm'

/** Returns `www.clearbrook.example` as a URL that a browser can open. */
const href = (website: string) => (/^https?:\/\//i.test(website) ? website : `https://${website}`)

/** The municipality's address, help with this site, and legal documents (spec 2.7). */
export function Footer({ supportDialog }: { supportDialog: LazyPanel }) {
  const { t } = useLingui()
  const form = useLazyPanel(supportDialog, t`The form could not be loaded. Reload the page and try again.`)
  return (
    <>
      <footer className="bg-deep py-10 text-white print:hidden">
        <Measure className="grid gap-8 md:grid-cols-2 lg:grid-cols-[2fr_2fr_auto]">
          <CompanyAddress />
          <Support onRequest={form.open} />
          <Documents />
        </Measure>
      </footer>
      <Text>{form.panel}</Text>
    </>
  )
}

function CompanyAddress() {
  const company = page().footer
  const cityLine =
    company && [company.city, [company.state, company.zipcode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return (
    <div>
      <h2 className="mb-1 text-h3">{company?.name ?? page().siteName}</h2>
      {company && (
        <address className="not-italic">
          {[company.address1, company.address2, cityLine].filter(Boolean).map((line) => (
            <div key={line}>{line}</div>
          ))}
          {company.phone_no && (
            <a className={link} href={`tel:${digitsOf(company.phone_no)}`}>
              {formatPhone(company.phone_no)}
            </a>
          )}
          {company.website_url && (
            <div className="mt-1">
              <a className={link} href={href(company.website_url)}>
                {company.website_url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
              </a>
            </div>
          )}
        </address>
      )}
    </div>
  )
}

const Support = ({ onRequest }: { onRequest: () => void }) => (
  <div>
    <h2 className="mb-1 text-h3">
      <Trans>Website Support</Trans>
    </h2>
    {page().company && (
      <p>
        <button type="button" className={link} onClick={onRequest}>
          <Trans>Enter a Support Request</Trans>
        </button>
        <noscript>
          <a className={link} href="/support">
            <Trans>Enter a Support Request</Trans>
          </a>
        </noscript>
      </p>
    )}
    {page().support.phone && (
      <a className={link} href={`tel:${digitsOf(page().support.phone)}`}>
        {formatPhone(page().support.phone)}
      </a>
    )}
    <p>
      <Trans>Monday-Friday: 7:30am-5pm ET</Trans>
    </p>
  </div>
)

function Documents() {
  const { documents, settings, version } = page()
  return (
    <div className="flex flex-col items-start gap-1">
      {documents.privacy && (
        <a className={link} href={documents.privacy}>
          <Trans>Privacy Policy</Trans>
        </a>
      )}
      {documents.terms && (
        <a className={link} href={documents.terms}>
          <Trans>Terms, Conditions, and Security</Trans>
        </a>
      )}
      {settings.server_name !== 'Unknown' && (
        <p className="mt-2 text-on-deep-soft text-sm">
          <Trans>Machine: {settings.server_name}</Trans>
        </p>
      )}
      <p className="text-on-deep-soft text-sm">{version}</p>
    </div>
  )
}
