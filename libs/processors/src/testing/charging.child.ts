import { openSandbox } from '@tillstream/sandbox';
import { SandboxProcessor } from '../sandbox/sandbox.processor.js';
import { attemptCall } from './attempt-call.js';

/** Charges in an endless loop and prints the key of each approval: `node charging.child.js <file> <name>`. */
const [file = '', name = ''] = process.argv.slice(2);
const processor = new SandboxProcessor({ sandbox: openSandbox({ file, processorDeadlineMs: 10_000 }) });
for (let n = 1; ; n++) {
  const key = `trx_${name}${String(n).padStart(10, '0')}P00.1`;
  const answer = await processor.sale(
    {
      merchantId: 'mer_1',
      account: 'acct',
      channel: 'CardPresent',
      amount: 100,
      currency: 'USD',
      terminalId: 'pmt_trm_1',
    },
    attemptCall(key),
  );
  if (answer.kind === 'Approved') {
    await new Promise((resolve) => process.stdout.write(`${key}\n`, resolve));
  }
}
