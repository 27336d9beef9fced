const MAX_FRAME_MS = 100

/** Scrolls to the top before the view changes, so that the layout shift is not visible. */
export async function scrollToTop(): Promise<void> {
  if (document.hidden || globalThis.scrollY === 0) return
  globalThis.scrollTo({ top: 0 })
  await Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    new Promise((resolve) => setTimeout(resolve, MAX_FRAME_MS)),
  ])
}
