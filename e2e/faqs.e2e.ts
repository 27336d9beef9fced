import type { Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { at, expect, tabTo, test, unique } from './fixtures.ts'

const HOST = 'maplegrove'
const LIST = '/municipality/manage/faqs'

/** A heading and a list as Word pastes them, with Word's classes, fonts and list markers. */
const FROM_WORD = `<html><head><style>p.MsoNormal{color:red}</style></head><body>
  <h1 style="color:#2E74B5">Bring along<o:p></o:p></h1>
  <p class="MsoListParagraphCxSpFirst" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp;</span></span>The <b>collar</b></p>
  <p class="MsoListParagraphCxSpLast" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp;</span></span>A photo <img src="x.png"></p>
  <table><tr><td>See <a href="javascript:alert(1)">here</a></td></tr></table></body></html>`

const paste = (page: Page, html: string) =>
  page.getByRole('textbox', { name: 'Answer' }).evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)

test('publishes an answer pasted from Word by keyboard, which a guest finds', async ({ page, context, accessible }) => {
  const animal = `iguana ${unique()}`
  const question = `Where do I register my ${animal}?`
  await openAs(page, HOST, 'admin@maplegrove.example', LIST)
  const { keyboard } = page
  const click = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Add FAQ' }).focus()
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Question', { exact: true }))
  await keyboard.type(question)
  await tabTo(page, page.getByRole('dialog').getByLabel('Category'))
  await keyboard.type('Pets')
  const text = page.getByRole('textbox', { name: 'Answer' })
  await expect(text).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Bold' }))
  await keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Italic' })).toBeFocused()
  await tabTo(page, text)
  await keyboard.type('At Town Hall. ')
  await keyboard.press('Control+b')
  await keyboard.type('Bring it in a box.')
  await keyboard.press('Enter')
  await paste(page, FROM_WORD)
  await expect(text.getByRole('listitem')).toHaveText(['The collar', 'A photo '])
  await expect(text.getByRole('heading', { level: 3 })).toHaveText('Bring along')
  await expect(text.locator('table, img, a, [style], [class]:not(.ProseMirror-trailingBreak)')).toHaveCount(0)
  await accessible(page, 'an answer that is written')
  await click('Save')
  const panel = page.getByRole('dialog', { name: question })
  await expect(panel.getByText('Bring it in a box.')).toBeVisible()
  await click('Publish')
  await expect(panel.getByText('Published', { exact: true })).toBeVisible()
  await keyboard.press('Escape')

  await page.getByRole('button', { name: 'Categories' }).focus()
  await keyboard.press('Enter')
  // Arrow keys move between rows, and Tab moves within a row.
  await page.getByRole('row', { name: 'Pets and animals' }).focus()
  await click('Reorder the FAQs in Pets and animals')
  const up = page.getByRole('button', { name: `Move ${question} up` })
  await expect(up).toBeVisible()
  await tabTo(page, page.getByRole('grid', { name: 'Questions' }).getByRole('row').first())
  await keyboard.press('End')
  await tabTo(page, up)
  await keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: `${question} is number` })).toBeAttached()
  await expect(up).toBeFocused()
  await accessible(page, 'the order of questions')

  const guest = await context.newPage()
  await guest.goto(at(HOST, '/cart'))
  await guest.getByRole('button', { name: 'Search' }).press('Enter')
  await expect(guest.getByLabel('What are you looking for?')).toBeFocused()
  await guest.keyboard.type(`register ${animal}, dog license`)
  await guest.keyboard.press('Enter')
  const dialog = guest.getByRole('dialog', { name: 'Search' })
  await expect(dialog.getByRole('link', { name: 'Dog license' })).toBeVisible()
  const response = dialog.getByRole('listitem').filter({ hasText: question })
  await response.locator('summary').focus()
  await guest.keyboard.press('Enter')
  await expect(response.getByRole('heading', { name: 'Bring along' })).toBeVisible()
  await accessible(guest, 'what a guest found')
  await response.getByRole('button', { name: 'Yes' }).click()
  await expect(response.getByText('Thank you.')).toBeFocused()
})
