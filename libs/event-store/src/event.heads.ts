import type { AllPage, HeadsPage } from './event-store.js';

/** The heads of a page of events, for stores that can't read less than the events. */
export function headsOf({ events, ...place }: AllPage): HeadsPage {
  const heads = events.map(({ stream, revision, type, position }) => ({ stream, revision, type, position }));
  return { heads, ...place };
}
