import type { AllPage, HeadersPage } from './event-store.js';

/** The headers of a page of events, for stores that can only read whole events. */
export function toHeadersPage({ events, ...place }: AllPage): HeadersPage {
  const headers = events.map(({ stream, revision, type, position }) => ({
    stream,
    revision,
    type,
    position,
  }));
  return { headers, ...place };
}
