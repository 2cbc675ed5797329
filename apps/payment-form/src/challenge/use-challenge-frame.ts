import { ErrorCode } from '@tillstream/contracts';
import type { RefObject } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { ReportContext } from '../messages/report.context.js';
import type { PaymentSession } from '../session/payment.session.js';
import { isDone, type Challenge } from './challenge.js';

export interface ChallengeFrame {
  readonly element: RefObject<HTMLIFrameElement | null>;
  /** The page did not load in time. */
  readonly isSilent: boolean;
  /** Changes when the frame is to be made anew. */
  readonly loads: number;
  readonly onLoad: () => void;
  readonly reload: () => void;
}

const LOAD_TIMEOUT_MS = 15_000;

/** The iframe of the bank's page: whether it loads, and its message that the customer is done. */
export function useChallengeFrame({ url }: Challenge, payment: PaymentSession): ChallengeFrame {
  const report = useContext(ReportContext);
  const element = useRef<HTMLIFrameElement>(null);
  const [progress, setProgress] = useState<'loading' | 'loaded' | 'silent'>('loading');
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    const receive = ({ data, origin, source }: MessageEvent): void => {
      const isOfFrame = origin === url.origin && source === element.current?.contentWindow;
      if (isOfFrame && isDone(data)) void payment.finishChallenge();
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [url.href, payment]);
  useEffect(() => {
    if (progress !== 'loading') return;
    const timer = setTimeout(() => {
      setProgress('silent');
      report(ErrorCode.SdkThirdPartySdkLoadFailed);
    }, LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [progress, loads]);
  return {
    element,
    isSilent: progress === 'silent',
    loads,
    onLoad: () => setProgress('loaded'),
    reload: () => {
      setProgress('loading');
      setLoads(loads + 1);
    },
  };
}
