import type { FormSession } from '@tillstream/contracts';
import { useEffect, useMemo } from 'preact/hooks';
import { ParentWindow } from '../messages/parent.window.js';

/** Posts the page's height, and the end of the form, to the window that embeds it. */
export function useParentWindow(session: FormSession | undefined): void {
  const isLoaded = session !== undefined;
  const parent = useMemo(() => (session ? ParentWindow.of(session, window) : undefined), [isLoaded]);
  useEffect(() => {
    const page = document.getElementById('page');
    if (!parent || !page) return;
    const observer = new ResizeObserver(() => parent.resized(page.getBoundingClientRect().height));
    observer.observe(page);
    return () => observer.disconnect();
  }, [parent]);
  useEffect(() => {
    if (session) parent?.ended(session);
  }, [parent, session]);
}
