import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice, type EmailTemplate } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { formatDate } from '../../../shared/dates.ts'
import { roles } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { documentKinds, listPath, missingDocuments, ONBOARDING, sentencesOf, whyOf } from '../rules.ts'
import type { OnboardingStatus } from '../states.ts'
import { loadOnboardingInput, type Onboarding, providerName } from './rows.ts'

interface OnboardingNoticeData {
  status: OnboardingStatus
  provider: string
  /** Missing information, as sentences. */
  missing: readonly string[]
  why: string
  /** Due date as YYYY-MM-DD, or empty. */
  due: string
  mayCharge: boolean
}

function textOf({
  status,
  provider,
  missing,
  why,
  due,
  mayCharge,
}: OnboardingNoticeData): Pick<EmailTemplate, 'subject' | 'paragraphs'> {
  const stopped = mayCharge
    ? []
    : [say`Until your onboarding is complete, residents cannot pay by card or bank account on your portal.`]
  if (status === 'missing')
    return {
      subject: say`${provider} needs information from you`,
      paragraphs: [
        say`${provider} needs the following before onboarding can continue:`,
        missing.map((one) => `- ${one}`).join('\n'),
        ...(due === '' ? [] : [say`The due date is ${formatDate(due)}.`]),
        ...stopped,
      ],
    }
  if (status === 'on_hold' || status === 'held')
    return {
      subject: say`Your onboarding with ${provider} is on hold`,
      paragraphs: [
        status === 'held'
          ? say`The platform has put the onboarding on hold.`
          : say`${provider} has put the onboarding on hold.`,
        ...(why === '' ? [] : [why]),
        ...stopped,
      ],
    }
  if (status === 'ready')
    return {
      subject: say`${provider} now accepts payments for you`,
      paragraphs: [
        say`Onboarding is complete. ${provider} accepts payments for you and pays them out to your bank.`,
        say`As the last step, make a test payment.`,
      ],
    }
  return {
    subject: say`Your onboarding with ${provider} has resumed`,
    paragraphs: [say`The hold has ended. Check the next steps.`],
  }
}

/** Notice without an opt-out, because the company must learn why it cannot receive payments. */
const updateNotice = defineNotice<OnboardingNoticeData>({
  event: 'onboarding.update',
  required: true,
  why: ({ name }) => say`You are receiving this email because you are an administrator of ${name}.`,
  content: (data, at) => {
    const { subject, paragraphs } = textOf(data)
    return { subject, paragraphs: [...paragraphs, { label: say`View the onboarding steps`, url: at.url(ONBOARDING) }] }
  },
})

const companyReadyNotice = defineNotice<{ company: string; provider: string; shortName: string }>({
  event: 'onboarding.ready',
  required: true,
  why: () => say`You are receiving this email because you manage the platform's municipalities.`,
  content: ({ company, provider, shortName }, at) => ({
    subject: say`${company} completed onboarding with ${provider}`,
    paragraphs: [
      say`${provider} accepts payments for ${company} and pays them out. You do not need to do anything.`,
      { label: say`View onboardings`, url: at.url(listPath(shortName)) },
    ],
  }),
})

const NOTIFIED_STATUSES: readonly OnboardingStatus[] = ['missing', 'on_hold', 'held', 'ready']
const NOTIFY_PLATFORM = 'onboarding.tell_platform'

/**
 * Notifies a company's administrators of required steps and changes. If a company becomes ready, a job also notifies
 * the platform, because the company's transaction has no access to platform staff. `reason` comes from the platform's
 * hold or release.
 */
export async function notifyCompany(
  tx: Tx,
  context: AppContext,
  row: Onboarding,
  { reason = '', resumed = false }: { reason?: string; resumed?: boolean } = {},
): Promise<void> {
  if (!resumed && !NOTIFIED_STATUSES.includes(row.status)) return
  const companyRecord = await context.hosts.byId(row.company_id, tx)
  if (!companyRecord) return
  const input = await loadOnboardingInput(tx, row)
  const noticeData: OnboardingNoticeData = {
    status: row.status,
    provider: providerName(row.provider),
    missing: [
      ...sentencesOf(row.missing).map(({ text, code }) => translated(text) + (code === null ? '' : ` (${code})`)),
      ...missingDocuments(input).map((kind) => `${translated(documentKinds[kind])}.`),
    ],
    why: reason || translated(whyOf(row.why)),
    due: row.due_at?.toISOString().slice(0, 10) ?? '',
    mayCharge: row.may_charge,
  }
  const people = await tx
    .selectFrom('person')
    .select(['id', 'email'])
    .where('company_id', '=', row.company_id)
    .where('role_id', '=', roles.municipalityAdmin)
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute()
  for (const { id, email } of people)
    await notify(tx, context, { at: companyRecord, to: email, person: id, notice: updateNotice, data: noticeData })
  if (row.status === 'ready') await context.jobs.enqueue(tx, NOTIFY_PLATFORM, { company: row.company_id, id: row.id })
}

export function defineOnboardingEmails(context: AppContext): void {
  context.jobs.define<{ company: number; id: number }>(NOTIFY_PLATFORM, ({ company, id }) =>
    context.acrossCompanies(async (tx) => notifyPlatform(tx, context, companyIdFrom('job', company), id)),
  )
}

/** Notifies the platform's managers and super administrators, if the company is still ready. */
async function notifyPlatform(tx: Tx, context: AppContext, company: CompanyId, id: number): Promise<void> {
  const row = await tx
    .selectFrom('provider_onboarding')
    .select(['provider', 'status'])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst()
  const companyRecord = await context.hosts.byId(company, tx)
  if (row?.status !== 'ready' || !companyRecord) return
  const noticeData = { company: companyRecord.name, provider: providerName(row.provider), shortName: row.provider }
  const people = await tx
    .selectFrom('platform_person')
    .select('email')
    .where('role_id', 'in', [roles.manager, roles.superAdministrator])
    .where('is_active', '=', 1)
    .where('locked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { email } of people)
    await notify(tx, context, { at: null, to: email, notice: companyReadyNotice, data: noticeData })
}
