import { Trans, useLingui } from '@lingui/react/macro'
import { Bell, CalendarDays } from 'lucide-react'
import type { BootAnnouncement } from '../../../shared/boot.ts'
import { formatDate } from '../../../shared/dates.ts'
import { page } from '../../../web/page.ts'
import { Measure } from '../../../web/ui/Page.tsx'
import { Text } from '../../../web/ui/Text.tsx'

/**
 * Valid notices for residents. The server omits past notices, and this filter removes those that ended after the page
 * loaded.
 */
function landingAnnouncements(): BootAnnouncement[] {
  const { announcements, today } = page()
  return announcements.filter(({ location, until }) => location === 'landing' && until >= today)
}

/** True if the company has a message or notice for everyone. */
export const hasNotices = (): boolean => page().siteWideMessage !== '' || landingAnnouncements().length > 0

const slip = 'flex gap-4 rounded-sm border border-line border-s-6 border-s-brand bg-surface px-5 py-4 md:px-7'
/** Styles for the tags of the company's HTML. */
const prose =
  'min-w-0 wrap-anywhere [&_a]:font-bold [&_a]:text-link [&_a]:underline [&_a]:underline-offset-4 [&_:is(ul,ol)]:ps-6 [&_ul]:list-disc [&_ol]:list-decimal ' +
  '[&_:is(h3,h4)]:text-lg [&_:is(h3,h4)]:font-body [&>*+*]:mt-2'

/** The company's message to everyone and its dated announcements, on the lower edge of the banner. */
export function SiteNotices() {
  const { t } = useLingui()
  return (
    <Measure className="relative -mt-10 print:mt-0">
      <section aria-label={t`Announcements`} className="flex flex-col gap-3">
        {page().siteWideMessage && (
          <div className={slip}>
            <Bell size={20} aria-hidden className="mt-1 shrink-0 text-link" />
            {/* oxlint-disable-next-line react/no-danger -- the server has removed scripts, loaded resources and layout */}
            <div className={prose} dangerouslySetInnerHTML={{ __html: page().siteWideMessage }} />
          </div>
        )}
        {landingAnnouncements().map(({ id, title, text, until }) => (
          <div key={id} className={slip}>
            <CalendarDays size={20} aria-hidden className="mt-1 shrink-0 text-link" />
            <p className="min-w-0">
              <strong>{title}</strong> <Text>{text}</Text>{' '}
              <span className="whitespace-nowrap text-muted text-sm">
                <Trans>Ends {formatDate(until)}</Trans>
              </span>
            </p>
          </div>
        ))}
      </section>
    </Measure>
  )
}
