import { defineScanning } from './attachments/scan-pending.ts'
import { defineNotifyJob } from './cases/notify.ts'
import type { Feature } from './feature.ts'
import { defineNoticeJobs } from './notices/notify.ts'
import { mountUnsubscribePage } from './notices/unsubscribe-page.ts'
import { mountMaps } from './places/map-file.ts'
import { unprintableCharsCall } from './emails.ts'
import { importCalls } from './import-columns.ts'
import { presetCalls } from './import-presets.ts'
import { undoCalls } from './undo-imports.ts'
import { ongoingItemCalls } from './ongoing-calls.ts'
import { calls as settingCalls } from './person-settings.ts'
import { findRecordsCall } from './find-records.ts'
import { calls as viewCalls } from './saved-views.ts'
import { openRecordsCall, pendingWorkCall } from './pending-work-call.ts'
import { mountSmsCallbacks } from './sms/callbacks.ts'
import { defineSmsSandbox } from './sms/sandbox.ts'
import { defineSmsJobs } from './sms/send.ts'
import { defineSendMany } from './sms/send-many.ts'
import { defineRetention } from './delete-expired.ts'
import { defineVoiceJobs } from './voice/calls.ts'
import { mountVoiceCallbacks } from './voice/callbacks.ts'
import { defineVoiceSandbox } from './voice/sandbox.ts'

/**
 * Calls, jobs and retention rules of the server itself, declared like a feature. Some expired rows stay for a while, so
 * that old links report "too old" instead of "unknown". Sessions stay for look-ups of past sign-ins, and emails for
 * look-ups of their text. Idempotency keys stay so that repeated calls get the stored response.
 */
export const serverFeature: Feature = {
  calls: [
    ...importCalls,
    ...undoCalls,
    ...presetCalls,
    ...viewCalls,
    ...settingCalls,
    ...ongoingItemCalls,
    openRecordsCall,
    pendingWorkCall,
    findRecordsCall,
    unprintableCharsCall,
  ],
  mount: [mountMaps, mountUnsubscribePage, mountSmsCallbacks, mountVoiceCallbacks],
  jobs: (context) => {
    defineScanning(context)
    defineNoticeJobs(context)
    defineNotifyJob(context)
    defineSmsJobs(context)
    defineSendMany(context)
    if (context.sms.name === 'sandbox') defineSmsSandbox(context)
    defineVoiceJobs(context)
    if (context.voice.name === 'sandbox') defineVoiceSandbox(context)
    defineRetention(context)
  },
  retention: [
    { table: 'download_token', since: 'expires_at', days: 1 },
    { table: 'platform_download_token', since: 'expires_at', days: 1 },
    { table: 'failed_guess', since: 'window_started_at', days: 1 },
    // Files with an expiry date, and the rows of files that the virus scanner refused.
    { table: 'attachment', since: 'expires_at', days: 0, files: true },
    { table: 'attachment', since: 'refused_at', days: 90 },
    // An upload expires after a day without new parts.
    { table: 'upload', since: 'expires_at', days: 0 },
    { table: 'case_link', since: 'expires_at', days: 30 },
    // Retries of a job may need the row, but they take a few hours at most.
    { table: 'case_notification', since: 'notified_at', days: 30 },
    // A phone may be offline for weeks. Once online, it repeats calls that already completed, and needs their stored
    // responses.
    { table: 'idempotency_key', since: 'created_at', days: 60 },
    // A person may need this long to get a missing document. After that, the portal must no longer store the inputs.
    { table: 'field_draft', since: 'saved_at', days: 90 },
    { table: 'session', since: 'expires_at', days: 90 },
    { table: 'platform_session', since: 'expires_at', days: 90 },
    { table: 'email_outbox', since: 'sent_at', days: 90 },
    // Staff can undo an import for 30 days. Its stored rows have personal data, so they are deleted after that.
    { table: 'data_import', since: 'imported_at', days: 31 },
    { table: 'platform_email', since: 'sent_at', days: 90 },
    // Unsent emails: all attempts failed, or no mail server is configured.
    { table: 'email_outbox', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
    { table: 'platform_email', since: 'created_at', days: 180, only: 'sent_at IS NULL' },
    // Notices that no job can send, because this version of the portal does not know their event.
    { table: 'pending_notice', since: 'at', days: 30 },
    { table: 'sms_message', since: 'created_at', days: 180 },
    { table: 'sms_incoming', since: 'at', days: 90 },
    // Phone numbers with a confirmation code that the person never entered.
    { table: 'sms_number', since: 'code_expires_at', days: 1, only: 'confirmed_at IS NULL' },
    { table: 'sandbox_sms', since: 'at', days: 30 },
    { table: 'voice_call', since: 'created_at', days: 180 },
    { table: 'voice_number', since: 'code_expires_at', days: 1, only: 'confirmed_at IS NULL' },
    { table: 'sandbox_call', since: 'at', days: 30 },
    // After a pause without another refusal for this long, the next pause of the address is short again.
    { table: 'refused_address', since: 'rests_until', days: 60 },
  ],
}
