import { rendersIn } from '../../../server/render.ts'
import { orderSheet } from './sheet-pdf.ts'

rendersIn(orderSheet)
