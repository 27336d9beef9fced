import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { fillReply } from '../../shared/cases.ts'
import { openTestCompany } from '../../test/company.ts'
import { type TestPortal, testClock, testPortal } from '../../test/harness.ts'

/** Tests saved replies: their order and their placeholders. */

const MAPLE = 'maplegrove.localhost'

const clock = testClock()
let portal: TestPortal
let token = ''
const categories: Record<string, number> = {}
const replies: Record<string, number> = {}

const as = (path: string, body: object = {}) =>
  portal.post(MAPLE, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
const done = async (path: string, body: object = {}) => {
  const { status, body: response } = await as(path, body)
  expect(status, `${path}: ${response.message}`).toBe(200)
  return response
}

beforeAll(async () => {
  portal = await testPortal({ clock })
  await openTestCompany(portal, mapleGrove)
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  for (const name of ['Pothole', 'Street light']) {
    const { categoryId } = await done('muni/save/request/category', {
      ...{ hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null },
      ...{ forGuests: true, needsLocation: false, onMap: true, name, categoryId: null },
    })
    categories[name] = categoryId
  }
  for (const title of ['Alpha', 'Bravo', 'Charlie']) {
    const made = await done('muni/save/requests/saved/reply', { savedReplyId: null, title, text: `${title}.` })
    replies[title] = made.savedReplyId
  }
})

async function enter(categoryName: string): Promise<number> {
  const location = { text: '12 Oak Street', addressId: null, lat: null, lon: null, metres: null }
  const { requestId } = await done('muni/enter/communication/request', {
    ...{ channel: 'phone', categoryId: String(categories[categoryName]), location, description: 'It is broken.' },
    ...{ name: 'Ann Lee', email: 'ann@example.org', phone: '', personId: null, version: 0, answers: {}, files: [] },
  })
  return requestId
}
const load = (subjectId: number) => done('muni/return/communication/request', { subjectId })
async function answer(subjectId: number, title: string) {
  const { lastMessageId: seen } = await load(subjectId)
  await done('muni/reply/request', { subjectId, message: 'Done.', seen, files: [], savedReplyId: replies[title] })
}
const orderFor = async (subjectId?: number): Promise<string[]> =>
  (await done('muni/return/requests/saved/replies', { subjectId })).savedReplies.map(
    ({ title }: { title: string }) => title,
  )

test('puts the replies of the category first, then those in use', async () => {
  const [pothole, light] = [await enter('Pothole'), await enter('Street light')]
  await answer(pothole, 'Charlie')
  await answer(light, 'Bravo')
  await answer(light, 'Bravo')
  expect(await orderFor(pothole)).toEqual(['Charlie', 'Bravo', 'Alpha'])
  expect(await orderFor(light)).toEqual(['Bravo', 'Charlie', 'Alpha'])
  expect(await orderFor()).toEqual(['Alpha', 'Bravo', 'Charlie'])
})

test('fills in the placeholders of a request', async () => {
  const { fills, request } = await load(await enter('Pothole'))
  expect(fillReply('{first_name}, {number}: {category}, {place}. {me}', fills)).toBe(
    `Ann, ${request.number}: Pothole, 12 Oak Street. ${fills.me}`,
  )
  expect(fills.me).not.toBe('')
  expect(fillReply('{order} {unknown} {target}', fills)).toMatch(/^\[…\] \[…\] \S/)
})

test('refuses a reply with an empty placeholder', async () => {
  const subjectId = await enter('Pothole')
  const { lastMessageId: seen } = await load(subjectId)
  const { status, body } = await as('muni/reply/request', { subjectId, message: 'Order […] is open.', seen, files: [] })
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toContain('Replace “[…]” with text')
  await done('muni/note/request', { subjectId, message: 'Order […] is open.', files: [] })
})
