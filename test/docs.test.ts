import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Pages of the docs. */
const pages = ['*.md', 'docs/**/*.md', 'deploy/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const MAX_KIT_LINES = 80

/** Returns the linked files of a page that do not exist. Ignores links to other sites and to headings. */
const brokenLinks = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(page), target)))

/** Returns the files that the last section of a page lists and that do not exist. */
const missingFiles = (page: string): string[] =>
  [...(textOf(page).split('## Files')[1] ?? '').matchAll(/^- `([^`]+)`/gm)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(root, path)))

describe('docs', () => {
  it.each(pages)('links only to existing files in %s', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it.each(pages.filter((page) => page.startsWith('docs/kit/')))('keeps %s short, with existing files', (page) => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_KIT_LINES)
    expect(missingFiles(page)).toEqual([])
  })
})
