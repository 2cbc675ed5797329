import { randomUUID } from 'node:crypto';
import type { DoubleOptions, EventStoreDbDouble } from './double.options.js';
import { EventLog } from './log/event.log.js';
import { LogView } from './log/log.view.js';
import { LogWriter } from './log/log.writer.js';
import { NodeServer } from './node/node.server.js';

const REMEMBERED_IDS = 100_000;
const EVENTS_PER_SYSTEM_EVENT = 50;

/** A single node with an empty log, listening on 127.0.0.1. */
export async function startEventStoreDbDouble(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
  const { log, writer } = newLog(options);
  const id = randomUUID();
  const double: NodeServer = new NodeServer({
    view: new LogView(log),
    writer,
    role: { isLeader: () => true, leader: () => ({ address: '127.0.0.1', port: double.port }) },
    members: () => [{ id, port: double.port, leads: true, alive: true }],
    options,
  });
  await double.start();
  return double;
}

export function newLog(options: DoubleOptions): { readonly log: EventLog; readonly writer: LogWriter } {
  const log = new EventLog();
  const { rememberedIds = REMEMBERED_IDS, eventsPerSystemEvent = EVENTS_PER_SYSTEM_EVENT } = options;
  return { log, writer: new LogWriter(log, { rememberedIds, eventsPerSystemEvent }) };
}
