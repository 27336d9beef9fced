import { t } from '@lingui/core/macro'

/** The server takes no larger one; asked here, nobody waits for an upload in vain. */
export const LARGEST_FILE = 100 * 1024 * 1024

export const tooLarge = (): string => t`The file is larger than 100 MB. Choose a smaller one.`
