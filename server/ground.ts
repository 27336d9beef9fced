import { defineScanning } from './attachments/scan-waiting.ts'
import { defineTelling } from './cases/tell.ts'
import type { Feature } from './feature.ts'
import { defineNoticeJobs } from './notices/notify.ts'
import { mountStopPage } from './notices/stop-page.ts'
import { mountMaps } from './places/map-file.ts'
import { unprintableLettersCall } from './emails.ts'
import { matterCalls } from './ongoing-calls.ts'
import { calls as viewCalls } from './saved-views.ts'
import { waitingCall } from './waiting-call.ts'
import { mountSmsCallbacks } from './sms/callbacks.ts'
import { defineSmsSandbox } from './sms/sandbox.ts'
import { defineSmsJobs } from './sms/send.ts'
import { defineSendMany } from './sms/send-many.ts'
import { defineSweeping } from './sweep.ts'
import { defineVoiceJobs } from './voice/calls.ts'
import { mountVoiceCallbacks } from './voice/callbacks.ts'
import { defineVoiceSandbox } from './voice/sandbox.ts'

/**
 * What the server brings itself, as features do in their manifests. What has expired stays for a while to say "this link
 * is too old" rather than "there is none", and to look up who was signed in where; mails to see what somebody was told;
 * keys of calls to answer the same again.
 */
export const ground: Feature = {
  calls: [...viewCalls, ...matterCalls, waitingCall, unprintableLettersCall],
  mount: [mountMaps, mountStopPage, mountSmsCallbacks, mountVoiceCallbacks],
  jobs: (context) => {
    defineScanning(context)
    defineNoticeJobs(context)
    defineTelling(context)
    defineSmsJobs(context)
    defineSendMany(context)
    if (context.sms.name === 'sandbox') defineSmsSandbox(context)
    defineVoiceJobs(context)
    if (context.voice.name === 'sandbox') defineVoiceSandbox(context)
    defineSweeping(context)
  },
  retention: [
    { table: 'download_ticket', since: 'expires_at', days: 1 },
    { table: 'platform_download_ticket', since: 'expires_at', days: 1 },
    { table: 'failed_guess', since: 'window_started_at', days: 1 },
    // Files that are kept for some days only, and what is left of those that the virus scanner refused.
    { table: 'attachment', since: 'expires_at', days: 0, files: true },
    { table: 'attachment', since: 'refused_at', days: 90 },
    // Nobody went on with it for a day.
    { table: 'upload', since: 'expires_at', days: 0 },
    { table: 'case_link', since: 'expires_at', days: 30 },
    // A job that tells is tried for hours at most.
    { table: 'case_told', since: 'told_at', days: 30 },
    // A phone may have been without a connection for weeks before it sends again what was done already.
    { table: 'idempotency_key', since: 'created_at', days: 60 },
    // Long enough for somebody who waits for a paper; then what they typed is no longer ours to keep.
    { table: 'field_draft', since: 'saved_at', days: 90 },
    { table: 'session', since: 'expires_at', days: 90 },
    { table: 'platform_session', since: 'expires_at', days: 90 },
    { table: 'mail_outbox', since: 'sent_at', days: 90 },
    { table: 'platform_mail', since: 'sent_at', days: 90 },
    // Nobody will send these any more: the last try was half a year ago, or there is no server to send them.
    { table: 'mail_outbox', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
    { table: 'platform_mail', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
    // What its job left behind because a later version of the portal knows its event no more.
    { table: 'notice_waiting', since: 'at', days: 30 },
    { table: 'sms_message', since: 'created_at', days: 180 },
    { table: 'sms_incoming', since: 'at', days: 90 },
    // Nobody came back with the code.
    { table: 'sms_number', since: 'code_expires_at', days: 1, only: 'confirmed_at IS NULL' },
    { table: 'sandbox_sms', since: 'at', days: 30 },
    { table: 'voice_call', since: 'created_at', days: 180 },
    { table: 'voice_number', since: 'code_expires_at', days: 1, only: 'confirmed_at IS NULL' },
    { table: 'sandbox_call', since: 'at', days: 30 },
    // An address that was left alone for so long counts as new.
    { table: 'refused_address', since: 'rests_until', days: 60 },
  ],
}
