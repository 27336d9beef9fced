import type { DemoPart } from '../../server/demo.ts'
export const demo: DemoPart = {}
