import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Ban,
  CircleCheck,
  CircleX,
  Copy,
  CreditCard,
  Download,
  ExternalLink,
  Eye,
  FileDown,
  FileUp,
  type LucideIcon,
  MessageSquareReply,
  Pencil,
  Power,
  PowerOff,
  Printer,
  ReceiptText,
  Repeat,
  Send,
  Settings2,
  Trash2,
  Undo2,
  Unlink,
  UserCheck,
  UserMinus,
  UserRoundSearch,
  Wallet,
} from 'lucide-react'

/**
 * All actions of row buttons (spec 2.19). In each row's `can`, the server lists the actions that the row offers, by
 * these names.
 */
export const actionKinds = {
  pay: { label: msg`Pay`, icon: CreditCard },
  viewAccount: { label: msg`View Account`, icon: Wallet },
  unlinkAccount: { label: msg`Unlink Account`, icon: Unlink },
  view: { label: msg`View`, icon: Eye },
  open: { label: msg`Open website`, icon: ExternalLink },
  answer: { label: msg`Answer`, icon: MessageSquareReply },
  edit: { label: msg`Edit`, icon: Pencil },
  copy: { label: msg`Copy`, icon: Copy },
  exportJson: { label: msg`Download as JSON:`, icon: FileDown },
  importJson: { label: msg`Import from JSON into`, icon: FileUp },
  download: { label: msg`Download`, icon: Download },
  print: { label: msg`Print`, icon: Printer },
  printReceipt: { label: msg`Print Receipt`, icon: ReceiptText },
  undo: { label: msg`Undo`, icon: Undo2 },
  remove: { label: msg`Remove`, icon: Trash2 },
  cancel: { label: msg`Cancel`, icon: Ban },
  complete: { label: msg`Complete`, icon: CircleCheck },
  pass: { label: msg`Pass`, icon: CircleCheck },
  fail: { label: msg`Fail`, icon: CircleX },
  repeat: { label: msg`Repeat`, icon: Repeat },
  release: { label: msg`Release`, icon: Send },
  dismiss: { label: msg`Dismiss`, icon: CircleX },
  setUtilityProcessor: { label: msg`Set Utility Processor`, icon: Settings2 },
  impersonate: { label: msg`Impersonate`, icon: UserRoundSearch },
  assign: { label: msg`Assign`, icon: UserCheck },
  unassign: { label: msg`Unassign`, icon: UserMinus },
  activate: { label: msg`Activate`, icon: Power },
  inactivate: { label: msg`Deactivate`, icon: PowerOff },
} as const satisfies Record<string, { label: MessageDescriptor; icon: LucideIcon }>

export type ActionKind = keyof typeof actionKinds

/** Row with its permitted actions, from the server. */
export interface ActionableRow {
  can?: { readonly [Kind in ActionKind]?: boolean | undefined }
  /** 'Yes' shows a checked, disabled checkbox in place of 'Complete' (spec 4.7). */
  iscomplete?: string
}
