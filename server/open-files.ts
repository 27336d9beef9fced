import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type Files, filesOnDisk } from './files.ts'

/**
 * Opens the configured file store: a bucket, or the data folder. The bucket's library loads only if needed.
 * @throws StartError if the bucket can't be reached or written
 */
export async function openFiles(config: Pick<Config, 's3' | 'dataDir'>, clock: Clock): Promise<Files> {
  if (config.s3 === null) return filesOnDisk(`${config.dataDir}/files`, clock)
  const { filesOnS3 } = await import('./files-on-s3.ts')
  return filesOnS3(config.s3, clock)
}
