/** An event and its position in the log. */
export interface PlacedEvent {
  /** A UUID in lower case, 36 characters. */
  readonly id: string;
  readonly stream: string;
  /** 'last' for the event that deletes a stream for good: the highest possible number. */
  readonly revision: number | 'last';
  /** Commit and prepare position, which are equal for events. */
  readonly position: number;
  readonly type: string;
  readonly contentType: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
}

const ID_LENGTH = 36;
const ID_FIELD_LENGTH = 2 + ID_LENGTH;

/**
 * The whole `ReadResp` message of an event. Encoded by hand, because it runs for each appended event and the message classes
 * take five times as long.
 */
export function encodeRecordedEvent(event: PlacedEvent): Buffer {
  const stream = Buffer.from(event.stream);
  const named: readonly (readonly [Buffer, Buffer])[] = [
    [TYPE, Buffer.from(event.type)],
    [CONTENT_TYPE, Buffer.from(event.contentType)],
    [CREATED, Buffer.from(`${event.createdAt}0000`)],
  ];
  const { position, revision } = event;
  const revisionLength = revision === 'last' ? LAST_REVISION.length : varintLength(revision);
  const streamLength = fieldLength(stream.length);
  const recorded =
    fieldLength(ID_FIELD_LENGTH) +
    fieldLength(streamLength) +
    (revision === 0 ? 0 : 1 + revisionLength) +
    2 * (1 + varintLength(position)) +
    named.reduce((sum, entry) => sum + fieldLength(entryLength(entry)), 0) +
    (event.metadata.length === 0 ? 0 : fieldLength(event.metadata.length)) +
    (event.data.length === 0 ? 0 : fieldLength(event.data.length));
  const read = fieldLength(recorded) + 1 + varintLength(position);

  const into = new MessageWriter(fieldLength(read));
  into.header(1, read);
  into.header(1, recorded);
  into.header(1, ID_FIELD_LENGTH);
  into.header(2, ID_LENGTH);
  into.text(event.id);
  into.header(2, streamLength);
  into.bytes(3, stream);
  if (revision === 'last') into.raw(LAST_REVISION_FIELD);
  else if (revision !== 0) into.varint(3, revision);
  into.varint(4, position);
  into.varint(5, position);
  for (const entry of named) {
    into.header(6, entryLength(entry));
    into.bytes(1, entry[0]);
    into.bytes(2, entry[1]);
  }
  if (event.metadata.length > 0) into.bytes(7, event.metadata);
  if (event.data.length > 0) into.bytes(8, event.data);
  into.varint(3, position);
  return into.message;
}

/** The event's id in a message of `encodeRecordedEvent`. */
export function idOfEncoded(message: Buffer): string {
  let at = 0;
  for (let header = 0; header < 2; header++) {
    at += 1;
    while ((message[at] ?? 0) >= 0x80) at += 1;
    at += 1;
  }
  return message.toString('latin1', at + 4, at + 4 + ID_LENGTH);
}

const TYPE = Buffer.from('type');
const CONTENT_TYPE = Buffer.from('content-type');
const CREATED = Buffer.from('created');
/** 9,223,372,036,854,775,807 as a varint: a `number` can't hold it. */
const LAST_REVISION = Buffer.from('ffffffffffffffff7f', 'hex');
const LAST_REVISION_FIELD = Buffer.concat([Buffer.from([3 << 3]), LAST_REVISION]);

function entryLength([name, value]: readonly [Buffer, Buffer]): number {
  return fieldLength(name.length) + fieldLength(value.length);
}

/** Tag, length and content. All field numbers are below 16, so a tag has one byte. */
function fieldLength(content: number): number {
  return 1 + varintLength(content) + content;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
}

class MessageWriter {
  readonly message: Buffer;
  #at = 0;

  constructor(length: number) {
    this.message = Buffer.allocUnsafe(length);
  }

  header(field: number, length: number): void {
    this.message[this.#at++] = (field << 3) | 2;
    this.#varint(length);
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.header(field, bytes.length);
    this.raw(bytes);
  }

  varint(field: number, value: number): void {
    this.message[this.#at++] = field << 3;
    this.#varint(value);
  }

  text(ascii: string): void {
    this.#at += this.message.write(ascii, this.#at, 'latin1');
  }

  raw(bytes: Uint8Array): void {
    this.message.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.message[this.#at++] = (rest % 0x80) | 0x80;
    this.message[this.#at++] = rest;
  }
}
