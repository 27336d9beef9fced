import { readFileSync, readdirSync } from 'node:fs'
import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Query parameters that no code sets, each with the place that its value comes from. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  setup: 'An address that the payment provider returns to.',
  redirect_status: 'The payment provider.',
  background: 'A tester of the design page.',
  office: 'A tester of the design page.',
  id: 'Links of the field day, from an object.',
}
/** Query parameters that no screen reads by name, each with its use. */
const READ_ELSEWHERE: Readonly<Record<string, string>> = {
  about: 'A filter of the audit log.',
  space: 'The chosen time of a rental, read as one.',
  pieces: 'The chosen time of a rental, read as one.',
  ...Object.fromEntries(['sort', 'direction', 'group', 'rows', 'page'].map((name) => [name, 'The state of a table.'])),
}

const sources = ['features', 'web', 'server', 'shared']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** True for `query.get`. */
const isRead = (callee: Expression): boolean =>
  callee.type === 'MemberExpression' &&
  callee.object.type === 'Identifier' &&
  callee.object.name === 'query' &&
  callee.property.type === 'Identifier' &&
  callee.property.name === 'get'

const readNames = new Map<string, string>()
const readFromQuery = new Set<string>()
const setNames = new Map<string, string>()
const linkedNames = new Set<string>()
for (const { path, text } of sources) {
  for (const [, name] of text.matchAll(/[?&]([a-zA-Z_]+)=/g)) linkedNames.add(name ?? '')
  if (!/\b(?:useQueryParam|setQuery|query\.get)\(|<QueryItem\b/.test(text)) continue
  new Visitor({
    JSXOpeningElement({ name, attributes }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'QueryItem') return
      for (const attribute of attributes)
        if (attribute.type === 'JSXAttribute' && attribute.name.name === 'name' && attribute.value?.type === 'Literal')
          readNames.set(String(attribute.value.value), path)
    },
    CallExpression({ callee, arguments: [first] }) {
      if (!first) return
      // The server and the browser read the parameters of a page with calls from the query itself.
      if (isRead(callee) && first.type === 'Literal') readFromQuery.add(String(first.value))
      if (callee.type !== 'Identifier') return
      if (callee.name === 'useQueryParam' && first.type === 'Literal') readNames.set(String(first.value), path)
      if (callee.name === 'setQuery' && first.type === 'ObjectExpression')
        for (const property of first.properties)
          if (property.type === 'Property' && !property.computed && property.key.type === 'Identifier')
            if (property.value.type !== 'Literal' || property.value.value !== null)
              setNames.set(property.key.name, path)
    },
  }).visit(parseSync(path, text).program)
}

test('sets every query parameter that a screen reads', () => {
  const missing = [...readNames].filter(
    ([name]) => !setNames.has(name) && !linkedNames.has(name) && !Object.hasOwn(SET_ELSEWHERE, name),
  )
  expect(missing).toEqual([])
})

test('reads every query parameter that a screen sets', () => {
  const unread = [...setNames].filter(
    ([name]) => !readNames.has(name) && !readFromQuery.has(name) && !Object.hasOwn(READ_ELSEWHERE, name),
  )
  expect(unread).toEqual([])
})
