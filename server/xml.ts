const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * Removes characters that XML 1.0 forbids: control characters except tabs and line breaks, lone surrogates, U+FFFE and
 * U+FFFF.
 */
export const withoutControls = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

/** Escapes text for an element or an attribute. */
export const escapedXml = (text: string): string =>
  withoutControls(text)
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
    .replaceAll('\r', '&#13;')
