import * as z from 'zod/mini'
import { plainTyped } from './visible.ts'

/**
 * Cleans a typed identifier, as the first check of its schema. Identifiers are account numbers, codes, email addresses
 * and phone numbers.
 */
export const cleaned = () => z.overwrite<string>(plainTyped)
