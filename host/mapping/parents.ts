/** `_parent`: the document of another type that a document belongs to, and `_uid`: what such a document is known by. */

import type { BatchWriter } from '../core/batch.js';
import { mapperParsing } from '../errors.js';
import { LeafField } from './field.js';
import { ONE_TERM } from './numbers.js';
import { textTerm } from './terms.js';
import { isObject, type JsonObject, textOf } from '../json/values.js';

/** A field whose terms are `type#id`. */
abstract class UidField extends LeafField {
  readonly type: string;
  readonly core = ONE_TERM;
  override readonly isConstant = true;

  constructor(name: string) {
    super(name);
    this.type = name;
  }

  override allText(): undefined {
    return undefined;
  }

  write(batch: BatchWriter, value: unknown): void {
    batch.text(this.number, textOf(value) ?? '');
  }

  term(value: unknown): Uint8Array {
    return textTerm(textOf(value) ?? '');
  }

  protected echo(): JsonObject {
    return {};
  }

  override merge(): void {}
}

/** Of a type that is another's parent: the document itself. The other side of {@link ParentField}. */
export class OwnUidField extends UidField {
  constructor() {
    super('_uid');
  }
}

/** Of a type that has parents: the parent. */
export class ParentField extends UidField {
  /** The type of the parents, which need not be mapped yet. */
  readonly parentType: string;
  /** When 1.7 would load the join into memory; shown, and means nothing here. */
  #fielddata: JsonObject | undefined;

  constructor(parentType: string, fielddata?: JsonObject) {
    super('_parent');
    this.parentType = parentType;
    this.#fielddata = fielddata;
  }

  /** Reads the mapping's `_parent`. */
  static read(given: unknown): ParentField {
    const definition = isObject(given) ? given : {};
    const type = textOf(definition.type);
    if (type === undefined) throw mapperParsing('Parent mapping must contain the parent type');
    const { fielddata } = definition;
    const loading = isObject(fielddata) ? textOf(fielddata.loading) : undefined;
    return new ParentField(type, loading === undefined ? undefined : { loading });
  }

  /** The uid of a parent; a value that is one already is taken as it is. */
  uidOf(value: string): string {
    return value.includes('#') ? value : `${this.parentType}#${value}`;
  }

  override term(value: unknown): Uint8Array {
    return textTerm(this.uidOf(textOf(value) ?? ''));
  }

  /** Takes over what can be changed. */
  mergeFielddata(other: ParentField): void {
    this.#fielddata = other.#fielddata ?? this.#fielddata;
  }

  protected override echo(): JsonObject {
    const json: JsonObject = { type: this.parentType };
    return this.#fielddata === undefined ? json : { ...json, fielddata: this.#fielddata };
  }
}
