import { rendersIn } from '../../../server/render.ts'
import { orderSheets } from './sheet-pdf.ts'

rendersIn(orderSheets)
