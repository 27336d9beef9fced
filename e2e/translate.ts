/**
 * Replaces each text node like Chrome's translator, but with equal words, so that all locators work. The new text is in
 * two nested `<font>` elements. Later texts follow. Runs in the page.
 * React keeps the replaced text node, so a change of that node never reaches the screen. The page then shows old text,
 * which is an error of the page (`complaints`).
 */
export function translateTexts(port: string): void {
  if (window !== window.top || location.port !== port) return
  const UNTRANSLATED_NODES = new Set([
    'SCRIPT',
    'STYLE',
    'NOSCRIPT',
    'TEXTAREA',
    'TITLE',
    'OPTION',
    'FONT',
    'text',
    'title',
  ])
  const fonts = new WeakMap<Node, HTMLElement>()
  const stale = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const font = fonts.get(target)
      if (font?.isConnected && font.textContent !== target.nodeValue)
        // Console errors are collected in `complaints`.
        // eslint-disable-next-line no-console
        console.error(`old text stays on ${location.pathname}: “${font.textContent}” instead of “${target.nodeValue}”`)
    }
  })
  const wrap = (text: Text) => {
    const { parentElement: parent, data } = text
    if (!parent || UNTRANSLATED_NODES.has(parent.nodeName) || parent.isContentEditable || !data.trim()) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.append(data)
    outer.append(inner)
    text.replaceWith(outer)
    fonts.set(text, outer)
    stale.observe(text, { characterData: true })
  }
  const wrapAll = (node: Node) => {
    if (node instanceof Text) return wrap(node)
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) wrap(text)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') wrapAll(target)
      else for (const node of addedNodes) wrapAll(node)
  }).observe(document, { childList: true, characterData: true, subtree: true })
}
