/** What a search looks for. Each kind has its own encodings. */
export interface Secrets {
  /** Card numbers, bank numbers and CVVs of at least four digits; shorter ones occur everywhere by chance. */
  readonly numbers?: readonly string[];
  /** Of at least eight characters. */
  readonly texts?: readonly string[];
  /** Keys and ciphertexts of at least 32 bytes; the search also finds a part of one. */
  readonly bytes?: ReadonlyMap<string, readonly Buffer[]>;
}

interface Needle {
  readonly bytes: Buffer;
  readonly what: string;
}

const PIECE_BYTES = 16;
/** Bytes between two digits of one number, at most. UTF-16 has a zero beside every character. */
const SEPARATORS_MAX = 3;
const SEPARATORS = new Set([...Buffer.from(' -./_:,+\t'), 0]);
const ZERO = 0x30;
const NINE = 0x39;
const NEEDLE_BYTES_MIN = 8;

/**
 * Searches bytes for thousands of secrets in one pass: numbers as digits in ASCII or UTF-16, with or without
 * separators, packed, and as 64-bit integers; texts in UTF-8 and UTF-16; parts of keys; and each of them in hex and
 * base64 at any offset.
 */
export class SecretSearch {
  private readonly needles = new Map<number, Needle[]>();
  /** The pairs of bytes with which needles start: excludes most positions at once. */
  private readonly prefixes = new Uint8Array(0x1_0000);
  private readonly numbers: readonly string[];

  constructor({ numbers = [], texts = [], bytes = new Map() }: Secrets) {
    this.numbers = numbers;
    for (const number of numbers) this.addNumber(number);
    for (const text of texts) this.addText(text);
    for (const [name, all] of bytes) for (const one of all) this.addBytes(name, one);
  }

  /** Returns a sentence for each secret with its first position; never the secret itself. */
  in(where: string, haystack: Buffer): string[] {
    const found = new Map<string, number>();
    const report = (what: string, at: number): void => void (found.has(what) || found.set(what, at));
    this.findNeedles(haystack, report);
    if (this.numbers.length > 0) this.findDigits(haystack, report);
    return [...found].map(([what, at]) => `${where}: ${what} at byte ${at}`);
  }

  private findNeedles(haystack: Buffer, report: (what: string, at: number) => void): void {
    const last = haystack.length - NEEDLE_BYTES_MIN;
    for (let at = 0; at <= last; at++) {
      if (this.prefixes[(haystack[at] ?? 0) | ((haystack[at + 1] ?? 0) << 8)] === 0) continue;
      for (const { bytes, what } of this.needles.get(haystack.readUInt32LE(at)) ?? []) {
        if (haystack.compare(bytes, 0, bytes.length, at, Math.min(at + bytes.length, haystack.length)) === 0)
          report(what, at);
      }
    }
  }

  private findDigits(haystack: Buffer, report: (what: string, at: number) => void): void {
    let digits = '';
    let digitsAt = 0;
    let between = 0;
    const end = (): void => {
      for (const number of this.numbers) {
        if (digits.length >= number.length && digits.includes(number))
          report(`${nameOf(number)} in digits`, digitsAt);
      }
      digits = '';
      between = 0;
    };
    for (let at = 0; at < haystack.length; at++) {
      const byte = haystack[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) {
        if (digits === '') digitsAt = at;
        digits += String.fromCharCode(byte);
        between = 0;
      } else if (digits !== '' && (++between > SEPARATORS_MAX || !SEPARATORS.has(byte))) end();
    }
    end();
  }

  private addNumber(number: string): void {
    const what = nameOf(number);
    this.addEncoded(Buffer.from(number), what);
    if (number.length < 12) return;
    const packed = Buffer.from(number.padEnd(number.length + (number.length % 2), 'f'), 'hex');
    // A number that is mostly zeros is in every database.
    if (packed.filter((byte) => byte === 0).length < 3) this.add(packed, `${what} packed`);
    const integer = Buffer.alloc(8);
    integer.writeBigUInt64BE(BigInt(number));
    this.add(integer, `${what} as an integer`);
    this.add(Buffer.from(integer).reverse(), `${what} as an integer`);
  }

  private addText(text: string): void {
    if (text.length < NEEDLE_BYTES_MIN)
      throw new Error(`a text of ${text.length} characters is too short to be found`);
    const what = `a text of ${text.length} characters beginning with ${text.slice(0, 3)}`;
    for (const written of new Set([text, text.toLowerCase()])) {
      const utf16 = Buffer.from(written, 'utf16le');
      this.add(Buffer.from(written), what);
      this.add(utf16, `${what} in UTF-16`);
      this.add(Buffer.from(utf16).swap16(), `${what} in UTF-16`);
      this.addEncoded(Buffer.from(written), what);
    }
  }

  /** Start, middle and end of a key: a part may be left over. */
  private addBytes(name: string, secret: Buffer): void {
    const starts = [0, (secret.length - PIECE_BYTES) >> 1, secret.length - PIECE_BYTES];
    for (const start of starts) {
      const piece = secret.subarray(start, start + PIECE_BYTES);
      this.add(piece, `a part of ${name}`);
      this.addEncoded(piece, `a part of ${name}`);
    }
  }

  private addEncoded(bytes: Buffer, what: string): void {
    const hex = bytes.toString('hex');
    for (const written of new Set([hex, hex.toUpperCase()])) this.add(Buffer.from(written), `${what} in hex`);
    for (const skipped of [0, 1, 2]) {
      // The part of the base64 text that does not depend on the bytes before and after.
      const groups = Buffer.concat([Buffer.alloc(skipped), bytes]);
      const from = Math.ceil((skipped * 8) / 6);
      const until = Math.floor((groups.length * 8) / 6);
      for (const encoding of ['base64', 'base64url'] as const)
        this.add(Buffer.from(groups.toString(encoding).slice(from, until)), `${what} in base64`);
    }
  }

  private add(bytes: Buffer, what: string): void {
    if (bytes.length < NEEDLE_BYTES_MIN) return;
    const start = bytes.readUInt32LE();
    const list = this.needles.get(start) ?? [];
    if (list.some((known) => known.bytes.equals(bytes))) return;
    this.needles.set(start, [...list, { bytes, what }]);
    this.prefixes[bytes.readUInt16LE()] = 1;
  }
}

const nameOf = (number: string): string =>
  `the number of ${number.length} digits ending in ${number.slice(-4)}`;
