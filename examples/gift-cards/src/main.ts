import { MemoryEventStore } from '@tillstream/event-store';
import { GiftCardRepository, giftCardServer, LiabilityProjection } from './index.js';

const port = Number(process.env['PORT'] ?? 3300);
const store = new MemoryEventStore();
const liability = new LiabilityProjection();
await liability.start(store);
giftCardServer(new GiftCardRepository(store), liability).listen(port, '127.0.0.1', () => {
  process.stdout.write(`Gift cards on http://127.0.0.1:${port}\n`);
});
