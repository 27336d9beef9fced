import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODE_FOLDERS } from './code-folders.ts'

const root = join(import.meta.dirname, '..')
/** Markdown pages of the docs. */
const pages = ['*.md', 'docs/**/*.md', 'deploy/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const MAX_KIT_LINES = 80

/** Returns the files that a page links to but that do not exist. Ignores links to other sites and to headings. */
const brokenLinks = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(root, dirname(page), target)))

/** Returns the files that the last section of a page lists and that do not exist. */
const missingFiles = (page: string): string[] =>
  [...(textOf(page).split('## Files')[1] ?? '').matchAll(/^- `([^`]+)`/gm)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(root, path)))

/** Names in the docs that come from other programs. */
const NAMES_ELSEWHERE = ['MaxFileSize', 'MaxScanSize', 'removeChild']

/** Returns the camel-case names that appear in the docs but not in the code. */
function unknownNames(): string[] {
  const codeNames = new Set(NAMES_ELSEWHERE)
  for (const path of globSync(`{${CODE_FOLDERS.join()}}/**/*.{ts,tsx,js,mjs,sql}`, { cwd: root }))
    for (const [name] of textOf(path).matchAll(/\b[A-Za-z][a-z0-9]*[A-Z]\w*/g)) codeNames.add(name)
  // Skips CONTRIBUTING.md, because `contributing.test.ts` checks the feature that it builds.
  return pages
    .filter((page) => !/^(?:CONTRIBUTING|docs\/glossary)\.md$/.test(page))
    .flatMap((page) =>
      [...textOf(page).matchAll(/`([^`\n]+)`/g)]
        .flatMap(([, code = '']) => code.match(/\b[A-Za-z][a-z0-9]+[A-Z]\w*/g) ?? [])
        .filter((name) => !codeNames.has(name))
        .map((name) => `${page}: ${name}`),
    )
}

/** Variables that `server/config.ts` reads. */
const configVariables = [
  ...new Set(textOf('server/config.ts').match(/(?<=')[A-Z][A-Z0-9]*_?[A-Z0-9_]*(?=')/g)),
].toSorted()

interface VariableDoc {
  names: string[]
  fallback: string
  meaning: string
}

/** Rows of the tables in `docs/configuration.md`, except those in the section about tests. */
const documentedVariables: VariableDoc[] = [
  ...(textOf('docs/configuration.md').split('## Tests')[0] ?? '').matchAll(
    /^\| ((?:`[A-Z0-9_]+`(?:, )?)+) \| (.*?) \| (.*?) \|$/gm,
  ),
].map(([, names = '', fallback = '', meaning = '']) => ({
  names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  fallback,
  meaning,
}))

/** Returns the text of a table cell without Markdown. */
const plain = (cell: string) => cell.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

describe('docs', () => {
  it('quotes only names that the code contains', () => {
    expect(unknownNames()).toEqual([])
  })

  it('documents each variable of the configuration', () => {
    expect(documentedVariables.flatMap(({ names }) => names).toSorted()).toEqual(configVariables)
  })

  it('lists each variable with its default in .env.example', async () => {
    const lines = documentedVariables.flatMap(({ names, fallback, meaning }) => [
      `# ${plain(meaning)}`,
      `# Default: ${plain(fallback)}.`,
      ...names.map((name) => `# ${name}=`),
      '',
    ])
    const head = '# Configuration of the portal. docs/configuration.md has the details. Remove "# " to set a variable.'
    await expect([head, '', ...lines].join('\n')).toMatchFileSnapshot('../.env.example')
  })

  it.each(pages)('links only to existing files in %s', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it.each(pages.filter((page) => page.startsWith('docs/kit/')))('keeps %s short, with existing files', (page) => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_KIT_LINES)
    expect(missingFiles(page)).toEqual([])
  })
})
