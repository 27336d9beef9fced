import { Trans } from '@lingui/react/macro'
import { page } from '../page.ts'

/** Link to the quick-reference guide, and the dated notice of a new guide (spec 2.9). */
export function Guide() {
  const { announcements, documents } = page()
  return (
    <>
      {announcements
        .filter(({ location }) => location === 'guide')
        .map(({ id, title }) => (
          <span
            key={id}
            title={title}
            className="rounded-sm bg-brand px-2 py-0.5 font-bold text-on-brand text-xs max-lg:order-last lg:min-w-0 lg:truncate"
          >
            {title}
          </span>
        ))}
      {documents.helpGuide && (
        <a className="link" href={documents.helpGuide} target="_blank" rel="noreferrer">
          <Trans>Help Guide</Trans>
        </a>
      )}
    </>
  )
}
