// @vitest-environment happy-dom
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import '../../shared/all-screens.ts'
import { CallError } from '../call.ts'
import { Failed } from './States.tsx'

const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
const renderFailed = (status: number, instead?: ReactNode) =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Failed
        error={new CallError(status, 'any', 'This rental does not exist.')}
        onRetry={() => {}}
        instead={instead}
      />
    </I18nProvider>,
  )

describe('a page of a record', () => {
  it('says that a missing record was not found, and links its list', () => {
    const page = renderFailed(404, <a href="/resource-rentals">All rentals</a>)
    expect(page).toContain('Not found')
    expect(page).toContain('This rental does not exist.')
    expect(page).toContain('All rentals')
    expect(page).not.toContain('Try again')
    expect(page).not.toContain('could not be loaded')
  })

  it('links the screen above if it names no list', () => {
    history.replaceState(null, '', '/forms-documents/submission/x1')
    expect(renderFailed(404)).toContain('href="/forms-documents"')
  })

  it('offers no retry for a malformed address', () => expect(renderFailed(400)).not.toContain('Try again'))

  it('offers a retry after a failure', () => {
    expect(renderFailed(500)).toContain('Try again')
    expect(renderFailed(500)).not.toContain('Not found')
  })
})
