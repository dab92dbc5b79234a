/** `doc['field']`: the values of a field of a hit, as 1.7's `ScriptDocValues` show them. */

import { evaluate } from '../expression/evaluate.js';
import type { Expression } from '../expression/operations.js';
import { Column } from '../mapping/field.js';
import type { FielddataValue } from '../mapping/fielddata.js';
import type { MappingModel } from '../mapping/model.js';
import type { ScriptedHit } from '../script/groovy.js';
import { DISTANCES, distanceBetween, type DistanceMethod } from './distances.js';
import { GroovyError } from './tokens.js';
import { HostObject, Int, isNumberValue, type NumberValue, toDouble, type Value } from './values.js';

/** A point. */
class Point extends HostObject {
  readonly type = 'org.elasticsearch.common.geo.GeoPoint';
  readonly #lat: number;
  readonly #lon: number;

  constructor(lat: number, lon: number) {
    super();
    this.#lat = lat;
    this.#lon = lon;
  }

  override get json(): Value {
    return new Map<string, Value>([
      ['lat', this.#lat],
      ['lon', this.#lon],
    ]);
  }

  member(name: string): Value | undefined {
    return name === 'lat' ? this.#lat : name === 'lon' ? this.#lon : undefined;
  }
}

export class FieldValues extends HostObject {
  readonly type = 'org.elasticsearch.index.fielddata.ScriptDocValues';
  readonly #values: readonly Value[];
  /** What stands for the value where there is none. */
  readonly #none: Value;

  /** @param none what stands for the value where there is none */
  constructor(values: readonly FielddataValue[], none: Value) {
    super();
    this.#values = values.map((value) =>
      typeof value === 'object' ? new Point(value.lat, value.lon) : value,
    );
    this.#none = none;
  }

  override get json(): Value {
    return [...this.#values];
  }

  get #value(): Value {
    return this.#values[0] ?? this.#none;
  }

  #distance(name: string, method: DistanceMethod, operands: readonly Value[]): Value | undefined {
    const [lat, lon, otherwise] = operands;
    if (operands.length !== (method.hasDefault ? 3 : 2)) return undefined;
    if (!operands.every((each) => each !== null && isNumberValue(each))) return undefined;
    const point = this.#value;
    if (!(point instanceof Point)) {
      if (this.#values.length > 0) return undefined;
      if (otherwise !== undefined) return toDouble(otherwise as NumberValue);
      throw new GroovyError(
        'NullPointerException',
        `Cannot invoke method ${name}() on a field without a value`,
      );
    }
    const given = (value: Value | undefined): Expression => ({
      kind: 'number',
      value: toDouble(value as NumberValue),
    });
    const from = { lat: given(point.member('lat')), lon: given(point.member('lon')) };
    return evaluate(distanceBetween(method, from, { lat: given(lat), lon: given(lon) }), () => Number.NaN);
  }

  member(name: string): Value | undefined {
    if (name === 'value') return this.#value;
    if (name === 'values') return [...this.#values];
    if (name === 'empty') return this.#values.length === 0;
    const first = this.#value;
    return first instanceof Point ? first.member(name) : undefined;
  }

  override call(name: string, operands: readonly Value[]): Value | undefined {
    const method = DISTANCES.get(name);
    if (method !== undefined) return this.#distance(name, method, operands);
    if (operands.length > 0) return undefined;
    switch (name) {
      case 'getValue':
        return this.#value;
      case 'getValues':
        return [...this.#values];
      case 'isEmpty':
        return this.#values.length === 0;
      case 'size':
        return new Int(this.#values.length);
      default:
        return undefined;
    }
  }
}

/** `doc`: the fields of a hit. */
export class Doc extends HostObject {
  readonly type = 'org.elasticsearch.search.lookup.DocLookup';
  readonly #hit: ScriptedHit;
  readonly #known = new Map<string, FieldValues>();

  constructor(hit: ScriptedHit) {
    super();
    this.#hit = hit;
  }

  member(name: string): Value {
    const found = this.#known.get(name) ?? this.#read(name);
    this.#known.set(name, found);
    return found;
  }

  #read(name: string): FieldValues {
    const { fielddata, model, document, place } = this.#hit;
    const none = noValue(name, model);
    if (none === undefined)
      throw new GroovyError(
        'ElasticsearchIllegalArgumentException',
        `No field found for [${name}] in mapping with types []`,
      );
    return new FieldValues(fielddata.values(document, [name], place).get(name) ?? [], none);
  }

  override call(name: string, [field]: readonly Value[]): Value | undefined {
    if (typeof field !== 'string') return undefined;
    if (name === 'containsKey') return this.#hit.model.find(field) !== undefined;
    return name === 'get' ? this.member(field) : undefined;
  }
}

/** What stands for the value of a field without one: 0 where it has numbers; undefined where there is no such field. */
function noValue(name: string, model: MappingModel): Value | undefined {
  const field = model.find(name)?.field;
  if (field === undefined) return undefined;
  const kind = (field.core?.flags ?? 0) & (Column.long | Column.double | Column.ordinal | Column.geo);
  if (kind === Column.long) return 0n;
  return kind === Column.double ? 0 : null;
}
