import { expect, it } from 'vitest'
import { takeEvents } from './live.ts'

it('takes complete events from a stream and leaves the partial one', () => {
  const { events, rest } = takeEvents(': here\n\nevent: payments\ndata: {"id":1}\n\ndata: {"id"')
  expect(events).toEqual(['{"id":1}'])
  expect(rest).toBe('data: {"id"')
  expect(takeEvents(`${rest}:2}\r\n\r\n`)).toEqual({ events: ['{"id":2}'], rest: '' })
})

it('joins the lines of one event', () => {
  expect(takeEvents('data: a\ndata: b\n\n').events).toEqual(['a\nb'])
})
