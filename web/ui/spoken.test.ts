import { expect, it } from 'vitest'

const screens = import.meta.glob<string>(['/features/**/*.tsx', '/web/**/*.tsx'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

it('starts no hidden text with punctuation, because browsers put a space before it', () => {
  const violations = Object.entries(screens).filter(([, text]) =>
    /className="spoken">\s*(?:\{['"`])?\s*[,.:;]/.test(text),
  )
  expect(Object.keys(screens).length).toBeGreaterThan(300)
  expect(violations.map(([path]) => path)).toEqual([])
})
