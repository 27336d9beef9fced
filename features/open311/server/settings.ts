import { implement } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { same } from '../../../shared/edits.ts'
import { open311Settings, saveOpen311Settings } from '../contract.ts'
import { publishesPhotos } from './photos.ts'

const showSettings = implement(open311Settings, (call) =>
  call.reading(async (tx) => ({ settings: { publishPhotos: await publishesPhotos(tx, call.company) } })),
)

const saveSettings = implement(saveOpen311Settings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    // Creates the row if it is missing, so that it can be locked. Because of the lock, concurrent saves run one after
    // another.
    await tx
      .insertInto('open311_settings')
      .values({ company_id: company, publish_photos: false })
      .onConflict((on) => on.doNothing())
      .execute()
    const { publish_photos } = await tx
      .selectFrom('open311_settings')
      .select('publish_photos')
      .where('company_id', '=', company)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const before = { publishPhotos: publish_photos }
    const edit = editBy(tx, call, 'open311_settings')
    const after = await mergeEdit<typeof before>(edit, { basis, own, now: before })
    if (!same(before, after)) {
      await tx
        .updateTable('open311_settings')
        .set({ publish_photos: after.publishPhotos })
        .where('company_id', '=', company)
        .execute()
      await recordChanges(edit, before, after)
      await call.audit(tx, { action: 'open311.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})

export const open311SettingsCalls = [showSettings, saveSettings]
