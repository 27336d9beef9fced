import { drawsIn } from '../../../server/draw.ts'
import { orderSheet } from './sheet-pdf.ts'

drawsIn(orderSheet)
