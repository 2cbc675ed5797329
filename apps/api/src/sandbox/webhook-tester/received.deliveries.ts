/** A delivery as the tester got it, for the page that shows it. */
export interface ReceivedDelivery {
  /** From 1; the page asks for those after the last that it has. */
  readonly number: number;
  /** RFC 3339, in real time. */
  readonly receivedAt: string;
  /** What the signature is worth: by which method it was verified, or why it was refused. */
  readonly verification: string;
  /** The HTTP status that the tester answered. */
  readonly answered: number;
  /** Of a verified delivery. */
  readonly event?: { readonly id: string; readonly type: string };
  /** Which attempt of its message it is, as far as the tester remembers: from 1. */
  readonly attempt: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Cut at 20,000 characters. */
  readonly body: string;
}

type Arrived = Omit<ReceivedDelivery, 'number' | 'attempt' | 'body'> & {
  readonly messageId: string | undefined;
  readonly body: string;
};

const DELIVERIES_MAX = 100;
const BODY_CHARACTERS_MAX = 20_000;

/** The last 100 deliveries, in memory. */
export class ReceivedDeliveries {
  private readonly kept: (ReceivedDelivery & { readonly messageId: string | undefined })[] = [];
  private last = 0;

  add(arrived: Arrived): void {
    const { messageId, body } = arrived;
    const before = this.kept.findLast((one) => messageId !== undefined && one.messageId === messageId);
    this.last += 1;
    this.kept.push({
      ...arrived,
      body: body.slice(0, BODY_CHARACTERS_MAX),
      number: this.last,
      attempt: (before?.attempt ?? 0) + 1,
    });
    if (this.kept.length > DELIVERIES_MAX) this.kept.shift();
  }

  /** In the order of their arrival. */
  after(number: number): readonly ReceivedDelivery[] {
    return this.kept.filter((one) => one.number > number).map(({ messageId: _, ...shown }) => shown);
  }
}
