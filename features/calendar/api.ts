/** Server functions for other features. */
export {
  defineFeed,
  defineOpenFeed,
  endFeed,
  type FeedKind,
  feedSince,
  makeFeed,
  openFeedPath,
} from './server/feeds.ts'
export { companyOrganizer, type IcsEvent, icsOf } from './server/ics.ts'
export { defineItemSource } from './server/item-source.ts'
export { cancelItem, importedItems, putItem } from './server/put-item.ts'
