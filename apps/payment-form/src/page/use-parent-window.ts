import { ErrorCode, type FormSession } from '@tillstream/contracts';
import { useEffect, useMemo } from 'preact/hooks';
import { ParentWindow } from '../messages/parent.window.js';
import type { Report } from '../messages/report.context.js';
import type { Notice, SessionState } from '../session/payment.session.js';

/** Posts the page's height, errors in the form, and its end, to the window that embeds it. */
export function useParentWindow({ session, notice }: SessionState): Report {
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
  const report = useMemo<Report>(
    () => (code) => {
      if (session) parent?.failed(code, session);
    },
    [parent, isLoaded],
  );
  useEffect(() => {
    const code = session && notice && codeOf(notice, session);
    if (code !== undefined) report(code);
  }, [report, notice]);
  return report;
}

const FAILED_ATTEMPT = {
  Virtual: undefined,
  VirtualAch: ErrorCode.SdkAchProcessingFailed,
  VirtualEft: ErrorCode.SdkEftProcessingFailed,
} as const;

/** Wrong fields have codes of their own (`field.codes.ts`). Undefined: nothing failed. */
function codeOf(notice: Notice, { paymentMethodType, resultCode }: FormSession): number | undefined {
  if (notice.kind === 'declined') return FAILED_ATTEMPT[paymentMethodType] ?? resultCode;
  const isVault = notice.kind === 'refused' && notice.code === ErrorCode.ErrorWhileTokenizingCard;
  return isVault ? ErrorCode.SdkCardTokenizationFailed : undefined;
}
