import type { FormSession } from '@tillstream/contracts';
import { useEffect } from 'preact/hooks';
import { parseUrl } from './parse.url.js';
import { endingOf } from '../session/form.end.js';

/** How long the customer sees the result. */
const RESULT_SHOWN_MS = 1_200;

/** Where the customer goes after the form. The merchant gave it: it must not run a script. */
export function returnAddress({ redirectUrl }: Pick<FormSession, 'redirectUrl'>): string | undefined {
  const protocol = parseUrl(redirectUrl ?? '')?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? redirectUrl : undefined;
}

/** Leaves in this page's own frame when the outcome is known; the finished form does not stay in the history. */
export function useRedirect(session: FormSession | undefined): void {
  const ending = session && endingOf(session);
  const address = session && returnAddress(session);
  const leaves = ending !== undefined && ending !== 'unknown' && address !== undefined;
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => location.replace(address), RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [leaves, address]);
}
