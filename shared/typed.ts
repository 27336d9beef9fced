import * as z from 'zod/mini'
import { plainTyped } from './visible.ts'

/** First check of every schema for an identifier: an account number, a code, an email address, a phone number. */
export const cleaned = () => z.overwrite<string>(plainTyped)
