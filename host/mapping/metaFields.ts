/**
 * What a type says of the fields that are about a document and not in it: `_timestamp`, `_ttl`, `_routing`, `_size`. Their values
 * are given beside the source, or are made when the document is written.
 */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError } from '../errors.js';
import { parseTime } from '../time/durations.js';
import type { LeafField } from './field.js';
import { asMap } from '../compat17/javaCasts.js';
import { NumberField } from './numbers.js';
import { DateField } from './scalars.js';
import { StringField } from './strings.js';
import { booleanOf, isObject, type JsonObject, parseWhole, textOf } from '../json/values.js';

/** When a document was made and when it expires, in milliseconds since the epoch. */
export interface DocumentTimes {
  timestamp?: number | undefined;
  expires?: number | undefined;
}

/** What `now` as a default timestamp is called. */
const NOW = 'now';

/** `_timestamp`: when a document was written, or what was given for that. */
export class TimestampField extends DateField {
  /** Undefined where the mapping doesn't say. */
  enabled: boolean | undefined;
  /** The field of the document that has the value. */
  readonly path: string | undefined;
  /** The value of documents without one: a date of the format, or `now`. */
  readonly byDefault: string;
  /** False: documents need one. */
  readonly ignoreMissing: boolean | undefined;
  readonly #explicit: boolean;

  /** Most types have none. */
  override get isLazy(): boolean {
    return this.enabled !== true;
  }

  constructor(given: unknown) {
    const definition = isObject(given) ? given : {};
    const {
      enabled,
      path,
      default: byDefault,
      ignore_missing: ignoreMissing,
      boost: _,
      ...rest
    } = definition;
    super('_timestamp', rest);
    this.#explicit = 'format' in rest;
    this.enabled = enabled === undefined ? undefined : booleanOf(enabled);
    this.path = textOf(path);
    if (byDefault === null) throw timestampParsing('default timestamp can not be set to null');
    this.byDefault = textOf(byDefault) ?? NOW;
    this.ignoreMissing = ignoreMissing === undefined ? undefined : booleanOf(ignoreMissing);
    if (byDefault !== undefined && this.ignoreMissing === false)
      throw timestampParsing('default timestamp can not be set with ignore_missing set to false');
  }

  /** The timestamp of a document: of what was given for it, found in it, or the default. */
  timeOf(given: string | undefined, now: number): number {
    if (given !== undefined) return this.parseTime(given);
    if (this.ignoreMissing === false) throw timestampParsing('timestamp is required by mapping');
    return this.byDefault === NOW ? now : this.parseTime(this.byDefault);
  }

  /** A whole number is milliseconds, everything else a date of the format. */
  parseTime(text: string): number {
    try {
      return Number(parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n));
    } catch {
      try {
        return this.parse(text);
      } catch {
        throw timestampParsing(text);
      }
    }
  }

  /** Its own milliseconds, whatever the format. */
  override valueForSearch(value: unknown): unknown {
    return value;
  }

  override valueOfSource(value: unknown): unknown {
    return value;
  }

  section(): JsonObject | undefined {
    const { type: _type, format, ...json } = this.shown;
    const section: JsonObject = this.enabled === undefined ? json : { enabled: this.enabled, ...json };
    if (this.path !== undefined) section.path = this.path;
    if (this.#explicit && format !== 'dateOptionalTime') section.format = format;
    if (this.byDefault !== NOW) section.default = this.byDefault;
    if (Object.keys(section).length === 0) return undefined;
    if (this.ignoreMissing !== undefined) section.ignore_missing = this.ignoreMissing;
    return section;
  }

  mergeSection(other: TimestampField, conflicts: string[], simulate: boolean): void {
    super.merge(other, conflicts, simulate);
    const conflict = (what: string, mine: unknown, its: unknown) =>
      conflicts.push(`Cannot update ${what} in _timestamp value. Value is ${mine} ${its}`);
    if (this.byDefault !== other.byDefault)
      conflict('default', this.byDefault, `now encountering ${other.byDefault}`);
    if (this.path !== other.path) {
      const merged = this.path === undefined ? undefined : other.path;
      conflict('path', this.path ?? null, `path in merged mapping is ${merged ?? 'missing'}`);
    }
    if (!simulate && other.enabled !== undefined) this.enabled = other.enabled;
  }
}

/** `_ttl`: when a document expires. */
export class TtlField extends NumberField {
  enabled: boolean | undefined;
  /** How long documents live that don't say so, in milliseconds. */
  byDefault: number | undefined;

  /** Most types have none. */
  override get isLazy(): boolean {
    return this.enabled !== true;
  }

  constructor(given: unknown) {
    const definition = isObject(given) ? given : {};
    const { enabled, default: byDefault, ...rest } = definition;
    super('_ttl', 'long', { store: true, ...rest });
    this.enabled = enabled === undefined ? undefined : booleanOf(enabled);
    const text = textOf(byDefault);
    if (text !== undefined) this.byDefault = parseTime(text);
  }

  section(): JsonObject | undefined {
    if (this.enabled === undefined) return undefined;
    const section: JsonObject = { enabled: this.enabled };
    if (this.enabled && this.byDefault !== undefined) section.default = this.byDefault;
    return section;
  }

  mergeSection(other: TtlField, conflicts: string[], simulate: boolean): void {
    if (other.enabled !== undefined) {
      if (this.enabled === true && !other.enabled)
        conflicts.push('_ttl cannot be disabled once it was enabled.');
      else if (!simulate) this.enabled = other.enabled;
    }
    if (!simulate && other.byDefault !== undefined && this.enabled === true) this.byDefault = other.byDefault;
  }
}

/** `_size`: the bytes of a document's source. */
export class SizeField extends NumberField {
  enabled: boolean;
  /** Whether the mapping says anything of it. */
  readonly isGiven: boolean;

  /** Most types have none. */
  override get isLazy(): boolean {
    return !this.enabled;
  }

  constructor(given: unknown) {
    const definition = isObject(given) ? given : {};
    const { enabled, ...rest } = definition;
    super('_size', 'integer', rest);
    this.isGiven = enabled !== undefined || this.stored;
    this.enabled = enabled !== undefined && booleanOf(enabled);
  }

  section(): JsonObject | undefined {
    if (!this.isGiven) return undefined;
    return this.stored ? { enabled: this.enabled, store: true } : { enabled: this.enabled };
  }
}

/** `_routing`: what a document's shard is found by, where that isn't its id. */
export class RoutingField extends StringField {
  /** Few indices route. */
  override get isLazy(): boolean {
    return true;
  }

  /** Whether documents need one. */
  required: boolean;
  /** The field of the document that has the value. */
  readonly path: string | undefined;
  readonly #given: JsonObject;

  constructor(given: unknown, registry: AnalyzerRegistry) {
    const definition = isObject(given) ? given : {};
    const { required, path, store, index, ...rest } = definition;
    super('_routing', { ...rest, store: store ?? true, index: index ?? 'not_analyzed' }, registry);
    this.required = required !== undefined && booleanOf(required);
    this.path = textOf(path);
    this.#given = { ...(this.stored ? {} : { store: false }), ...(index === 'no' ? { index: 'no' } : {}) };
  }

  section(): JsonObject | undefined {
    const section: JsonObject = { ...this.#given };
    if (this.required) section.required = true;
    if (this.path !== undefined) section.path = this.path;
    return Object.keys(section).length > 0 ? section : undefined;
  }
}

/** The sections of one type. */
export class MetaFields {
  readonly routing: RoutingField;
  readonly timestamp: TimestampField;
  readonly ttl: TtlField;
  readonly size: SizeField;

  /** `take` gives the section of that name, if there is one. */
  constructor(take: (name: string) => unknown, registry: AnalyzerRegistry) {
    const section = (name: string) => {
      const given = take(name);
      return given === undefined ? undefined : asMap(given);
    };
    this.routing = new RoutingField(section('_routing'), registry);
    this.size = new SizeField(section('_size'));
    this.timestamp = new TimestampField(section('_timestamp'));
    this.ttl = new TtlField(section('_ttl'));
  }

  /** The fields that documents of the type may have values in. */
  *fields(): Generator<LeafField> {
    yield this.routing;
    yield this.size;
    yield this.timestamp;
    yield this.ttl;
  }

  /** Writes what is known of a document; `size` are the bytes of its source. */
  write(
    batch: BatchWriter,
    routing: string | undefined,
    size: number,
    { timestamp, expires }: DocumentTimes,
  ): void {
    if (routing !== undefined) this.routing.write(batch, routing);
    if (this.size.enabled) this.size.write(batch, size);
    if (this.timestamp.enabled && timestamp !== undefined) this.timestamp.write(batch, timestamp);
    if (this.ttl.enabled && expires !== undefined) this.ttl.write(batch, expires);
  }

  /** Whether the values of one are shown where sources aren't. */
  isStored(name: string): boolean {
    for (const field of this.fields()) if (field.fullName === name) return field.stored;
    return false;
  }

  toJSON(): JsonObject {
    const json: JsonObject = {};
    const { routing, timestamp, ttl, size } = this;
    for (const field of [routing, timestamp, ttl, size]) {
      const section = field.section();
      if (section !== undefined) json[field.fullName] = section;
    }
    return json;
  }
}

/** 500; 1.7 puts whatever is wrong where the timestamp should stand. */
function timestampParsing(what: string): ElasticsearchError {
  return new ElasticsearchError('TimestampParsingException', `failed to parse timestamp [${what}]`);
}
