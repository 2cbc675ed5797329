import streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventLog } from './event.log.js';
import { encodeRecordedEvent, idOfEncoded } from './recorded-event.encode.js';

const { ReadResp } = streamMessages;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the message of an event', () => {
  it.each([
    ['the first of a short stream', { revision: 0, position: 0, data: 0, metadata: 0 }],
    ['one with lengths of two bytes', { revision: 127, position: 128, data: 130, metadata: 127 }],
    [
      'one with lengths of three and four',
      { revision: 16_384, position: 2 ** 40, data: 3_000_000, metadata: 20_000 },
    ],
  ])('of %s is decoded completely as the client decodes it', (_, { revision, position, data, metadata }) => {
    const event = {
      id: randomUUID(),
      stream: 'straße-1',
      revision,
      position,
      type: 'Authorized',
      contentType: 'application/json',
      createdAt: 1_700_000_000_123,
      data: Buffer.alloc(data, 'd'),
      metadata: Buffer.alloc(metadata, 'm'),
    };
    const message = encodeRecordedEvent(event);
    const read = ReadResp.deserializeBinary(message).getEvent();
    const recorded = read?.getEvent();
    expect(idOfEncoded(message)).toBe(event.id);
    expect(recorded?.getId()?.getString()).toBe(event.id);
    expect(Buffer.from(recorded?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(
      event.stream,
    );
    expect(recorded?.getStreamRevision()).toBe(String(revision));
    expect([
      recorded?.getCommitPosition(),
      recorded?.getPreparePosition(),
      read?.getCommitPosition(),
    ]).toEqual(Array(3).fill(String(position)));
    expect(recorded?.getMetadataMap().get('created')).toBe('17000000001230000');
    expect(Buffer.from(recorded?.getData_asU8() ?? []).equals(event.data)).toBe(true);
    expect(Buffer.from(recorded?.getCustomMetadata_asU8() ?? []).equals(event.metadata)).toBe(true);
  });

  it('that deletes a stream for good has the highest possible revision', () => {
    const log = new EventLog();
    const record = log.append('s', [aSmallEvent()], true);
    const recorded = ReadResp.deserializeBinary(log.message(record)).getEvent()?.getEvent();
    expect(recorded?.getStreamRevision()).toBe('9223372036854775807');
  });
});

describe('the log', () => {
  it('keeps 50,000 small events of 25,000 streams in less than 50 MB, as a million in a gigabyte', () => {
    const before = memory();
    const log = new EventLog();
    for (let stream = 0; stream < 25_000; stream++)
      log.append(`payment-${stream}`, [aSmallEvent(), aSmallEvent()]);
    expect(memory() - before).toBeLessThan(50_000_000);
    expect(log.streamName(49_999)).toBe('payment-24999');
    expect(log.firstAtOrAfter(log.position(12_345))).toBe(12_345);
    expect(log.firstAtOrAfter(log.position(12_345) + 1)).toBe(12_346);
  });
});

function aSmallEvent() {
  const [data, metadata] = [Buffer.alloc(200, 'd'), Buffer.alloc(20, 'm')];
  return { id: randomUUID(), type: 'Captured', contentType: 'application/json', data, metadata };
}

function memory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
