import { startEventStoreDbDouble } from '../double.js';
import { halfAppend } from '../raw-client.fixture.js';

it('An append that ends between its messages is not written, not even in part', async () => {
  const double = await startEventStoreDbDouble({ eventsPerSystemEvent: Infinity });
  const before = double.eventCount;
  for (let round = 0; round < 40; round++) {
    const close = halfAppend(double.url, `half-${round}`);
    await new Promise((resolve) => setTimeout(resolve, 10 + (round % 5)));
    double.dropConnections();
    await new Promise((resolve) => setTimeout(resolve, 5));
    close();
  }
  expect(double.eventCount - before).toBe(0);
  await double.close();
});
