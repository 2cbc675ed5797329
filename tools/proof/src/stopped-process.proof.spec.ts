import { stoppedProcess } from './stopped-process.proof.js';

it('a process that stood still before sending charges nobody silently when it wakes up', async () => {
  const { complaints } = await stoppedProcess.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
}, 240_000);
