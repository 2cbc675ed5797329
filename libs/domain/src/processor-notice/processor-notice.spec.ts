import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import {
  foldNotice,
  noNotice,
  markNoticeApplied,
  noticeCodec,
  noticeIdOfStream,
  receiveNotice,
  streamOfNotice,
  type NoticeReceived,
} from './processor-notice.js';

const at = '2026-03-01T12:00:00.000Z';
const id = 'ntc_0123456789abcdef0123456789abcdef';
const operationId = 'trx_01JQ000000000000000000P00A';
const received: NoticeReceived = {
  at,
  operationId,
  id,
  processor: 'harbor',
  noticeId: 'message-7',
  merchantId: 'mer_01JQ0000000000000000000000',
  try: 1,
  content: { kind: 'Returned', returnId: 'R-1', code: 'R01', reason: 'no funds', amount: 1_000 },
};
const applied = { at, operationId, id, result: 'Recorded' } as const;

describe('a notice of a processor', () => {
  it('is stored once, even if it is sent again after it was applied', () => {
    const first = receiveNotice(noNotice, received);
    expect(first).toMatchObject({ events: [{ type: 'NoticeReceived' }] });
    const stored = foldNotice([{ type: 'NoticeReceived', data: received }]);
    expect(receiveNotice(stored, received)).toMatchObject({ kind: 'Accepted', events: [] });
    const done = foldNotice([{ type: 'NoticeApplied', data: applied }], stored);
    expect(receiveNotice(done, received)).toMatchObject({ kind: 'Accepted', events: [] });
    expect(done).toEqual({ status: 'Applied', notice: received });
  });

  it('is marked as applied once, and never before it was received', () => {
    const stored = foldNotice([{ type: 'NoticeReceived', data: received }]);
    expect(markNoticeApplied(stored, applied)).toMatchObject({ events: [{ type: 'NoticeApplied' }] });
    const done = foldNotice([{ type: 'NoticeApplied', data: applied }], stored);
    expect(markNoticeApplied(done, applied)).toMatchObject({ events: [] });
    expect(markNoticeApplied(noNotice, applied)).toMatchObject({ events: [] });
  });

  it('has its own stream, which gives its id', () => {
    expect(streamOfNotice(id)).toBe('processornotice-0123456789abcdef0123456789abcdef');
    expect(noticeIdOfStream(streamOfNotice(id))).toBe(id);
  });
});

describe('the stored events of a notice', () => {
  codecContract(noticeCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    NoticeReceived: received as never,
    NoticeApplied: applied,
  });
});
