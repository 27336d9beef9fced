import { drawsIn } from '../../../server/draw.ts'
import { linkLetters } from './letter-pdf.ts'

drawsIn(linkLetters)
