import { expect, it } from 'vitest'
import { fitColumns } from './fit.ts'

const column = (id: string, width: number, priority: 1 | 2 | 3) => ({ id, header: '', width, priority })
const fitted = (room: number) =>
  fitColumns([column('time', 100, 1), column('why', 400, 3), column('segments', 80, 3)], room).beside.map(
    ({ id }) => id,
  )

it('a narrow column stays where a wide one makes room', () => {
  expect(fitted(600)).toEqual(['time', 'why', 'segments'])
  expect(fitted(300)).toEqual(['time', 'segments'])
  expect(fitted(120)).toEqual(['time'])
})
