import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

it('The script for a script tag has at most 7,000 bytes, 3,000 if they are compressed', () => {
  const bytes = readFileSync(new URL('../dist/bundled/payment-form.js', import.meta.url));
  expect(bytes.length).toBeLessThanOrEqual(7_000);
  expect(gzipSync(bytes).length).toBeLessThanOrEqual(3_000);
});
