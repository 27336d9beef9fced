import { escapedXml } from '../../../server/xml.ts'

/** Content of a response, for both formats. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value | undefined }

/** Element names of list entries in XML, by list name. JSON needs no such names. */
const entries: Readonly<Record<string, string>> = {
  endpoints: 'endpoint',
  formats: 'format',
  services: 'service',
  attributes: 'attribute',
  values: 'value',
  service_requests: 'request',
  service_request_updates: 'request_update',
  errors: 'error',
}

function element(name: string, value: Value): string {
  const inner = contentOf(name, value)
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`
}

function contentOf(name: string, value: Value): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((entry: Value) => element(entries[name] ?? 'item', entry)).join('')
  if (typeof value !== 'object') return escapedXml(String(value))
  return Object.entries(value)
    .map(([inner, of]) => (of === undefined ? '' : element(inner, of)))
    .join('')
}

/** Renders an XML document with this root element. */
export const xmlOf = (root: string, value: Value): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}\n`
