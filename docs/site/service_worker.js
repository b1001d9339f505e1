"use strict";
// Keeps the site for use without a network. The build writes what is kept, and a version for each content.
const version = "VERSION";
const first = "FIRST";
const rest = "REST";
const store = `torchdoctor-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(store);
    // The page has just loaded these: they come from the browser's own cache.
    await cache.addAll(first);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("torchdoctor-") && name !== store) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

// When the page has answered, the other pages are fetched, one after the other.
self.addEventListener("message", (event) => {
  if (event.data !== "keep the rest") return;
  event.waitUntil((async () => {
    const cache = await caches.open(store);
    for (const address of rest) {
      if (await cache.match(address)) continue;
      try {
        await cache.add(address);
      } catch {
        return; // Without a network, the next visit goes on.
      }
    }
  })());
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== self.location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(store);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    return kept ?? fetch(event.request);
  })());
});
