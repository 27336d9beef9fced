import { Trans, useLingui } from '@lingui/react/macro'
import {
  areaGroups,
  areaLabel,
  areas,
  type Level,
  levelLabels,
  levels,
  type OfficeArea,
  officeAreas,
} from '../../../shared/areas.ts'
import { translated } from '../../../shared/messages.ts'
import { type Permission, type Privileges, rights } from '../../../shared/privileges.ts'
import { currentSession } from '../../../web/session.ts'
import { cx } from '../../../web/ui/cx.ts'
import { Text } from '../../../web/ui/Text.tsx'

const steps = Object.keys(levels) as Level[]
const groups = Object.entries(areaGroups).map(([group, label]) => ({
  label,
  names: officeAreas.filter((name) => areas[name].group === group),
}))

/** Texts of permissions that do not make a level, such as view and update without create. */
const permissionNames: Readonly<Record<Permission, string>> = {
  view: 'view',
  create: 'create',
  update: 'update',
  deactivate: 'deactivate',
  delete: 'remove',
}

/** Returns the label of a mask: its level, or its permissions if it is not a level. */
export function maskText(mask: number): string {
  const level = steps.find((name) => levels[name] === mask)
  if (level) return translated(levelLabels[level])
  return (Object.keys(permissionNames) as Permission[])
    .filter((permission) => (mask & rights[permission]) !== 0)
    .map((permission) => translated(permissionNames[permission]))
    .join(', ')
}

interface AreaLevelsProps {
  caption: string
  masks: Privileges
  /** Masks before the edit. The actor may restore them, even without the permission. */
  before: Privileges
  /** Masks of the person's role, to mark differences. Null for a role itself. */
  usual: Privileges | null
  /** Another person's masks to compare with. */
  compared?: { name: string; masks: Privileges } | undefined
  isOpen: boolean
  onChange: (name: OfficeArea, mask: number) => void
}

/** Table of all areas with a choice of the level. */
export function AreaLevels({ caption, ...props }: AreaLevelsProps) {
  return (
    <div className="@container max-w-180">
      <table className="w-full table-fixed border-collapse border border-line bg-surface text-table">
        <caption className="spoken">{caption}</caption>
        <thead>
          <tr className="border-link border-b-2">
            <th scope="col" className="px-2 py-2 text-start text-sm @min-[36rem]:px-3">
              <Trans>Area</Trans>
            </th>
            {steps.map((level) => (
              <th
                key={level}
                scope="col"
                className="w-13 py-2 text-center text-xs @min-[36rem]:w-22 @min-[36rem]:text-sm"
              >
                {translated(levelLabels[level])}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ label, names }) => (
          <tbody key={label}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={steps.length + 1}
                className="bg-tint px-2 py-1.5 text-start @min-[36rem]:px-3"
              >
                {translated(label)}
              </th>
            </tr>
            {names.map((name) => (
              <AreaRow key={name} name={name} {...props} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function AreaRow({
  name,
  masks,
  before,
  usual,
  compared,
  isOpen,
  onChange,
}: { name: OfficeArea } & Omit<AreaLevelsProps, 'caption'>) {
  const { t } = useLingui()
  const held = currentSession()?.privileges[name] ?? 0
  const [mask, past] = [masks[name] ?? 0, before[name] ?? 0]
  const title = areaLabel(name)
  const isLevel = steps.some((level) => levels[level] === mask)
  const differs = usual !== null && (usual[name] ?? 0) !== mask
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="px-2 py-2 text-start font-normal wrap-anywhere hyphens-auto @min-[36rem]:px-3">
        <span className="block font-bold">{title}</span>
        <span className="block text-muted text-xs">{translated(areas[name].does)}</span>
        {!isLevel && (
          <span className="block text-sm">
            <Trans>Now: {maskText(mask)}</Trans>
          </span>
        )}
        {differs && (
          <span className="block font-bold text-warning text-xs">
            <Trans>Differs from the role: {maskText(usual[name] ?? 0)}</Trans>
          </span>
        )}
        {compared && (
          <span
            className={cx('block text-xs', (compared.masks[name] ?? 0) === mask ? 'text-muted' : 'font-bold text-link')}
          >
            <Text>{compared.name}</Text>: <Text>{maskText(compared.masks[name] ?? 0)}</Text>
          </span>
        )}
      </th>
      {steps.map((level) => {
        // The actor cannot grant a permission that they lack. Permissions that the person already has may stay.
        const isBeyond = (levels[level] & ~held & ~past) !== 0
        return (
          <td key={level} className="p-0 text-center">
            <label
              className="flex min-h-11 items-center justify-center"
              title={isOpen && isBeyond ? t`You don't have this permission yourself.` : undefined}
            >
              <input
                type="radio"
                className="size-5"
                name={`area-${name}`}
                checked={mask === levels[level]}
                disabled={!isOpen || isBeyond}
                aria-label={`${title}: ${translated(levelLabels[level])}`}
                onChange={() => onChange(name, levels[level])}
              />
            </label>
          </td>
        )
      })}
    </tr>
  )
}
