import { networkSandbox } from './network-sandbox.proof.js';

it('service and acquirer as two processes, both killed at random, agree in the end', async () => {
  const { complaints } = await networkSandbox.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
