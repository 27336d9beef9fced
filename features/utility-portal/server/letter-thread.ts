import { drawsIn } from '../../../server/draw.ts'
import { linkMailingsPdf } from './letter-pdf.ts'

drawsIn(linkMailingsPdf)
