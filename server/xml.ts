const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no control characters but tab and line ends, and neither halves of characters nor U+FFFE. */
export const withoutControls = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** A text as it stands in an element or an attribute. */
export const escapedXml = (text: string): string =>
  withoutControls(text)
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
    .replaceAll('\r', '&#13;')
