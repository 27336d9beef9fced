import { useLingui } from '@lingui/react/macro'

/** Returns the name and purpose of each kind of move. */
export function useKinds() {
  const { t } = useLingui()
  return {
    1: {
      path: '/relocate/move-in',
      title: t`Move In`,
      label: t`Move in to our community`,
      text: t`You are moving here. We will start your service and read the meter.`,
    },
    2: {
      path: '/relocate/move-out',
      title: t`Move Out`,
      label: t`Move out of the community`,
      text: t`You are leaving. We will read the meter one last time and send the final bill.`,
    },
    3: {
      path: '/relocate/move-within',
      title: t`Move Within`,
      label: t`Move within the community`,
      text: t`You are moving to another address here. One request covers both addresses.`,
    },
  }
}
