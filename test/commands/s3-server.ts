import { startS3 } from '../s3-server.ts'

/** Runs the server of S3's protocol as a process of its own, for a test that measures ours. Prints where it is. */
const { env } = await startS3(process.argv[2] ?? '')
console.log(JSON.stringify(env))
