import { expect, it } from 'vitest'
import { fitColumns } from './fit.ts'

const column = (id: string, width: number, priority: 1 | 2 | 3) => ({ id, header: '', width, priority })
const fitted = (room: number) =>
  fitColumns([column('time', 100, 1), column('why', 400, 3), column('segments', 80, 3)], room).beside.map(
    ({ id }) => id,
  )

it('keeps a narrow column after a wide one made space', () => {
  expect(fitted(600)).toEqual(['time', 'why', 'segments'])
  expect(fitted(300)).toEqual(['time', 'segments'])
  expect(fitted(120)).toEqual(['time'])
})

it('moves even important columns below, except the row’s name', () => {
  const sums = ['paid', 'fees', 'net'].map((id) => ({ id, header: '', width: 100, cents: true as never }))
  const { beside, below } = fitColumns([{ id: 'name', header: '', width: 100, primary: true }, ...sums], 320)
  expect([beside, below].map((some) => some.map(({ id }) => id))).toEqual([['name', 'paid', 'fees'], ['net']])
})
