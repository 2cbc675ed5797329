import type { BinaryEventData } from '@eventstore/db-client';
import type { SerialisedEvent } from '@tillstream/event-store';

const utf8 = new TextEncoder();

/**
 * An event whose JSON texts the driver sends as they are: exactly what was checked and hashed, serialised once. The
 * driver asks for the content type twice: first to write it beside the event, then to choose how to encode the data.
 * It is JSON to every reader, and bytes that need no encoding to the driver. One object serves one append.
 */
export class ReadyEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  #asked = false;

  private constructor(event: SerialisedEvent) {
    this.id = event.id;
    this.type = event.type;
    this.data = utf8.encode(event.data);
    this.metadata = utf8.encode(event.metadata);
  }

  static of(event: SerialisedEvent): BinaryEventData {
    return new ReadyEvent(event) as BinaryEventData;
  }

  get contentType(): 'application/octet-stream' {
    if (this.#asked) return 'application/octet-stream';
    this.#asked = true;
    return 'application/json' as 'application/octet-stream';
  }
}
