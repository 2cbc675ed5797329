import { processorContract } from '@tillstream/processors/testing';
import { CARD, NetworkStage, TERMINAL } from './network.fixture.js';

processorContract('The sandbox over a network', async () => {
  const stage = new NetworkStage({ processorDeadline: 20, brokenWordDelay: 60 });
  await stage.start();
  return {
    connect: () => stage.processor(),
    restart: async () => {
      await stage.stop();
      await stage.start();
    },
    moved: async (key) => {
      const { text } = await stage.get(`/v1/ledger/keys/${key}`);
      return (JSON.parse(text) as { movement: { amount: number } | null }).movement?.amount ?? 0;
    },
    card: CARD,
    decliningCard: { ...CARD, number: '4000000000000002' },
    terminalId: TERMINAL,
    late: { amount: 920_006, answersAfterMs: 80 },
    close: () => stage.end(),
  };
});
