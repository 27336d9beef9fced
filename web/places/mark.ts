import type { Point } from '../../shared/places.ts'

/** One of many things on the map. */
export interface Mark extends Point {
  id: number
  label: string
  kind: 'good' | 'waiting' | 'bad' | 'neutral'
}
