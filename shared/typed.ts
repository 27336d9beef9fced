import * as z from 'zod/mini'
import { plainTyped } from './visible.ts'

/**
 * Cleans a typed identifier: an account number, code, email address or phone number. Must be the first check of its
 * schema.
 */
export const cleaned = () => z.overwrite<string>(plainTyped)
