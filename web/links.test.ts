import { expect, it } from 'vitest'

const screens = import.meta.glob<string>(['/features/**/*.tsx', '/web/**/*.tsx'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** Files that may navigate with a button instead of a link, and the reason. */
const ALLOWED: Record<string, string> = {
  '/features/identity/web/SignUpScreen.tsx': 'the address is known after the session began',
}

it('leads to screens by links instead of buttons', () => {
  const files = Object.entries(screens)
  expect(files.length).toBeGreaterThan(500)
  const buttons = files.filter(([, text]) => /onClick=\{\(\) => (?:void )?(?:go|location\.assign)\(/.test(text))
  expect(buttons.map(([path]) => path).filter((path) => !ALLOWED[path])).toEqual([])
})

it('shows each request and chat of a resident as a link', () => {
  const row = screens['/web/cases/CaseRow.tsx'] ?? ''
  expect(row).toMatch(/<Link\b[^>]*to=\{to\}/)
  expect(row).not.toMatch(/<button\b|<Button\b/)
  const screen = screens['/features/service-requests/web/citizen/RequestsScreen.tsx'] ?? ''
  expect(screen.match(/<CaseRow\b/g)?.length).toBeGreaterThan(1)
  expect(screen).not.toMatch(/<button\b/)
})
