/** Selector for Word's list entries. `SIGN` selects their bullets. */
const ENTRY = 'p[class*="MsoListParagraph"], p[data-style*="mso-list"]'
const SIGN = '[data-style*="mso-list:Ignore"], [data-style*="mso-list: Ignore"]'

/**
 * Renames style attributes, so that they can be read but are not applied. The content security policy forbids inline
 * styles.
 */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(/<style[\s\S]*?<\/style>/gi, '')
    .replaceAll(/<[^>]*>/g, (tag) => tag.replaceAll(/\sstyle=/gi, ' data-style='))

function rename(element: Element, name: string): Element {
  const other = element.ownerDocument.createElement(name)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

/**
 * Converts pasted HTML to the editor's schema: Word's lists, the bold and italic styles of Google Docs, and two levels
 * of headings. The schema drops the rest.
 */
export function fromWord(html: string): string {
  const page = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
  for (const entry of page.querySelectorAll(ENTRY)) {
    const sign = entry.querySelector(SIGN)
    if (!sign) continue
    const tag = /^\s*\w+[.)]/.test(sign.textContent) ? 'OL' : 'UL'
    sign.remove()
    const before = entry.previousElementSibling
    const list = before?.tagName === tag && before.hasAttribute('data-word') ? before : page.createElement(tag)
    list.setAttribute('data-word', '')
    if (list !== before) entry.before(list)
    const item = page.createElement('li')
    list.append(item)
    item.append(entry)
  }
  for (const styled of page.querySelectorAll('b[data-style], span[data-style]')) {
    const style = styled.getAttribute('data-style') ?? ''
    if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) rename(styled, 'strong')
    else if (/font-style:\s*italic/.test(style)) rename(styled, 'em')
    else if (/font-weight:\s*(?:normal|400)/.test(style)) rename(styled, 'span')
  }
  for (const heading of page.querySelectorAll('h1, h2')) rename(heading, 'h3')
  for (const heading of page.querySelectorAll('h5, h6')) rename(heading, 'h4')
  return page.body.innerHTML
}
