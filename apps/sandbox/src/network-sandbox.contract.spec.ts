import type { StoredRequest } from '@tillstream/sandbox';
import { processorContract, processorFaultsContract } from '@tillstream/processors/testing';
import { CARD, NetworkFixture, TERMINAL } from './network.fixture.js';

const MANUAL = 'pmt_trm_2';

interface KeyInBooks {
  readonly movement: { readonly amount: number } | null;
  readonly request: StoredRequest | null;
}

const inBooks = async (stage: NetworkFixture, key: string): Promise<KeyInBooks> =>
  JSON.parse((await stage.get(`/v1/ledger/keys/${key}`)).text) as KeyInBooks;
const moved = async (stage: NetworkFixture, key: string): Promise<number> =>
  (await inBooks(stage, key)).movement?.amount ?? 0;

processorContract(
  'The sandbox over a network',
  async () => {
    const stage = new NetworkFixture({ processorDeadline: 20, brokenWordDelay: 60 });
    await stage.start();
    const { terminals } = stage.controls();
    await terminals.set(MANUAL, { mode: 'Manual', card: null });
    return {
      connect: () => stage.processor(),
      restart: async () => {
        await stage.stop();
        await stage.start();
      },
      movedAmount: (key) => moved(stage, key),
      receivedRequest: async (key) => {
        const { request } = await inBooks(stage, key);
        return request ? { account: '', ...request } : undefined;
      },
      accounts: ['a-1', 'a-2'],
      currencies: ['USD', 'CAD'],
      credentials: 'Numbers',
      storedExpiry: true,
      card: CARD,
      decliningCard: { ...CARD, number: '4000000000000002' },
      terminalId: TERMINAL,
      customer: {
        terminalId: MANUAL,
        tap: async () => void (await stage.controls().customers.act(MANUAL, { action: 'Tap' })),
        cancel: async () => void (await stage.controls().customers.act(MANUAL, { action: 'Cancel' })),
        isAwaited: async () => (await stage.controls().terminals.get(MANUAL)).waiting !== null,
      },
      late: { amount: 920_006, answersAfterMs: 80 },
      close: () => stage.end(),
    };
  },
  ['submitted', 'challenged', 'notices'],
);

processorFaultsContract('The sandbox over a network', { namedIn: ['callId', 'key'] }, async () => {
  const stage = new NetworkFixture();
  await stage.start();
  return {
    port: stage.port,
    connect: (port) => stage.processor({ url: `http://127.0.0.1:${port}` }),
    movedAmount: (key) => moved(stage, key),
    account: 'a-1',
    card: CARD,
    close: () => stage.end(),
  };
});
