// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { fits, fromHtml, toHtml } from './html.ts'

describe('HTML in the editor', () => {
  it.each([
    '',
    '<p>Hydrants are <u>flushed</u> on Monday.</p>',
    '<h3>Office</h3><h4>Hours</h4><p>8 to 5</p>',
    '<b>Leaf pickup</b> begins Monday.',
    '<p><i><b>Both</b></i> and <strong><em>both</em></strong></p>',
    '<ul>\n  <li>First</li>\n  <li><p>Second</p></li>\n</ul><ol><li>Third</li></ol>',
    '<p>See <a href="https://example.gov" rel="noopener noreferrer" target="_blank">the site</a>.</p>',
    '<p>Call <a href="tel:7175550142">us</a>.</p>\n<p>Or <a href="/communication">write</a>.</p>',
  ])('keeps all formatting of %s', (html) => {
    expect(fits(html)).toBe(true)
    expect(fits(toHtml(fromHtml(html)))).toBe(true)
  })

  it.each([
    '<p>One<br>Two</p>',
    '<p><a href="http://example.gov">plain</a></p>',
    '<ul><li>One<ul><li>Inner</li></ul></li></ul>',
    '<p>One</p><div>Two</div>',
  ])('recognizes formatting that the editor lacks: %s', (html) => expect(fits(html)).toBe(false))

  it('is empty without text', () => {
    expect(toHtml(fromHtml(''))).toBe('')
    expect(toHtml(fromHtml('<p> </p>'))).toBe('')
  })
})
