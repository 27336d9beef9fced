import { startS3 } from '../s3-server.ts'

/**
 * Runs an S3 test server in a separate process, for a test that measures the portal's own process. Prints the URL of
 * the server.
 */
const { env } = await startS3(process.argv[2] ?? '')
console.log(JSON.stringify(env))
