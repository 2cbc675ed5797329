import { eventCodec } from '../shared/codec.js';
import type { BatchEvent } from './batch.events.js';

export const batchCodec = eventCodec<BatchEvent>({
  types: { BatchOpened: [], BatchClosing: [], BatchStayedOpen: [], BatchClosed: [] },
});
