import { useEffect, useMemo, useState } from 'preact/hooks';
import { PaymentSession, type SessionState } from '../session/payment.session.js';
import { SessionClient } from '../session/session.client.js';

/** Loads the session, and reads it again when the customer comes back to this tab. */
export function usePaymentSession(address: string): readonly [SessionState, PaymentSession] {
  const [state, setState] = useState<SessionState>({ activity: 'loading', readAtMs: 0 });
  const payment = useMemo(() => new PaymentSession(new SessionClient(address), setState), [address]);
  useEffect(() => {
    void payment.load();
    const onVisible = (): void => {
      if (document.visibilityState === 'visible' && payment.state.session) void payment.refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [payment]);
  return [state, payment];
}
