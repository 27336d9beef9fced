import { expect, it } from 'vitest'
import { fitColumns, sizesOf } from './fit.ts'

const column = (id: string, width: number, priority: 1 | 2 | 3) => ({ id, header: '', width, priority })
const fitted = (room: number) =>
  fitColumns([column('time', 100, 1), column('why', 400, 3), column('segments', 80, 3)], room).map(({ id }) => id)

it('keeps a narrow column after a wide one made space', () => {
  expect(fitted(600)).toEqual(['time', 'why', 'segments'])
  expect(fitted(300)).toEqual(['time', 'segments'])
  expect(fitted(120)).toEqual(['time'])
})

it('drops even important columns, except the row’s name', () => {
  const sums = ['paid', 'fees', 'net'].map((id) => ({ id, header: '', width: 100, cents: true as never }))
  const fitting = fitColumns([{ id: 'name', header: '', width: 100, primary: true }, ...sums], 320)
  expect(fitting.map(({ id }) => id)).toEqual(['name', 'paid', 'fees'])
})

const time = { id: 'time', header: '', width: 176, whole: true }
const text = (id: string, width = 150) => ({ id, header: '', width })
const openOf = (columns: Parameters<typeof sizesOf>[0]) =>
  [...sizesOf(columns)].filter(([, { width }]) => width === undefined).map(([id]) => id)

it('gives the surplus to the row’s name, or else to the widest text', () => {
  expect(openOf([time, { ...text('what'), primary: true }, text('who', 300)])).toEqual(['what'])
  expect(openOf([time, text('what'), text('who', 300)])).toEqual(['who'])
  expect(openOf([{ ...time, primary: true }, text('what')])).toEqual(['what'])
  expect(openOf([time, text('what'), { id: 'any', header: '' }])).toEqual(['any'])
  expect(sizesOf([time, text('what')]).get('time')).toEqual({ width: 176, minWidth: 176 })
})

it('shares the surplus if no column is a text', () => {
  expect(openOf([time, { id: 'sum', header: '', width: 88, align: 'end' as const }])).toEqual(['time', 'sum'])
})
