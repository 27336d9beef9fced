import { useState } from 'react'
import * as z from 'zod/mini'
import { usePersonSetting, useSingleKeys } from '../../../person-settings.ts'

export type RowChoices = ReturnType<typeof useRowChoices>

/** Choices of the person for the rows of every list: their height, and single letters as keys. */
export function useRowChoices() {
  const [dense, setDense] = usePersonSetting('list-dense', z.boolean(), false)
  const [hasShortcuts] = useSingleKeys()
  const [helping, setHelping] = useState(false)
  return { dense, setDense, hasShortcuts, helping, setHelping }
}
