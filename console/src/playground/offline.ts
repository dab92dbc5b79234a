/** Has the browser keep the playground's files, so that it works without a network from the second visit on. */

/** Registers the service worker beside the page. Where there can be none, the page needs the network as before. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('./serviceWorker.js').catch(() => {});
}
