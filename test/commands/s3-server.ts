import { startS3 } from '../s3-server.ts'

/** Runs an S3 test server as a separate process, for a test that measures ours. Prints its address. */
const { env } = await startS3(process.argv[2] ?? '')
console.log(JSON.stringify(env))
