import type { AllPage, HeadersPage } from './event-store.js';

/** The heads of a page of events, for stores that can't read less than the events. */
export function toHeadersPage({ events, ...place }: AllPage): HeadersPage {
  const headers = events.map(({ stream, revision, type, position }) => ({
    stream,
    revision,
    type,
    position,
  }));
  return { headers, ...place };
}
