/** How Word marks a paragraph that it shows as an entry of a list. */
const ENTRY = 'p[class*="MsoListParagraph"], p[style*="mso-list"]'

/**
 * Makes lists of what Word writes as paragraphs with a dot or a number before them, and one level of headings of its many.
 * All else that Word writes has no place in the editor's schema.
 */
export function fromWord(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const entry of page.querySelectorAll(ENTRY)) {
    const sign = entry.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]')
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
  for (const heading of page.querySelectorAll('h1, h2, h4, h5, h6')) {
    const kept = page.createElement('h3')
    kept.append(...heading.childNodes)
    heading.replaceWith(kept)
  }
  return page.body.innerHTML
}
