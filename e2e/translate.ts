/**
 * Replaces each text node with the same words in two nested `<font>` elements, like Chrome's translator. Text that
 * appears later is also replaced. If React changes a replaced node, the page shows old text, which counts as an error
 * in `complaints`.
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
