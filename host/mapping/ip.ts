/** `ip` fields: IPv4 addresses as whole numbers. */

import type { BatchWriter } from '../core/batch.js';
import { illegalArgument } from '../errors.js';
import type { RangeBounds, RangeTerms } from './field.js';
import { toLong } from '../numbers/javaNumbers.js';
import { NumericField } from './numbers.js';
import { encodeLong, halves, longTerm } from './terms.js';
import { castTo, isNumber, textOf } from '../json/values.js';

/** An address, indexed as its number from 0 to 2^32 - 1. */
export class IpField extends NumericField {
  override readonly type = 'ip';
  override readonly takesBoosts = false;

  /** A bad address is an error even where other malformed values are passed over. */
  override write(batch: BatchWriter, given: unknown): void {
    const value = given ?? this.options.nullValue;
    if (value === undefined) return;
    // Of an object 1.7 reads the brace.
    const address = addressOf(textOf(value) ?? '{');
    if (this.number < 0) return;
    encodeLong(address);
    batch.term64(this.number, halves.high, halves.low);
  }

  override checkGiven(): void {
    const { nullValue } = this.options;
    if (nullValue !== undefined) addressOf(textOf(nullValue) ?? '');
  }

  override term(value: unknown): Uint8Array {
    return longTerm(numberOf(value));
  }

  override range({ from, to }: RangeBounds): RangeTerms {
    const bound = (value: unknown) =>
      value === undefined || value === null ? undefined : longTerm(numberOf(value));
    return { lower: bound(from), upper: bound(to) };
  }

  override valueOfSource(value: unknown): unknown {
    return this.valueForSearch(value);
  }

  override valueForSearch(value: unknown): unknown {
    return typeof value === 'number' ? ipText(value) : value;
  }
}

/** A number of a query stands for itself, a text is an address. */
function numberOf(value: unknown): number | bigint {
  if (isNumber(value)) return castTo(64, value);
  return addressOf(textOf(value) ?? '');
}

/** The number of a dotted address. */
export function addressOf(text: string): number {
  const octets = text.split('.');
  if (octets.length === 4 && octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && +octet < 256))
    return octets.reduce((sum, octet) => sum * 256 + Number(octet), 0);
  if (/^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(text) && text.includes(':') && text.length > 1)
    throw illegalArgument(`failed to parse ip [${text}], not a valid ipv4 address (4 dots)`);
  throw illegalArgument(`failed to parse ip [${text}], not a valid ip address`);
}

/** The dotted address of a number; of one that is none, its last four bytes as Java tells them. */
export function ipText(address: number): string {
  if (!Number.isSafeInteger(address)) {
    const long = toLong(address);
    return [24n, 16n, 8n, 0n].map((shift) => (long >> shift) % 256n).join('.');
  }
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
