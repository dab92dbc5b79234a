/** Nested documents that a search found: which objects of nested fields they are. */
import type { MappingModel } from '../mapping/model.js';
import { ObjectField } from '../mapping/objects.js';
import { isRawObject, parseRaw, print, type Raw, type RawObject } from '../json/rawJson.js';

/** Where an object stands: as the one of that number under a nested field, perhaps in another such object. */
export interface NestedIdentity {
  /** The path from the object around it, or from the document. */
  field: string;
  offset: number;
  /** The object in it that is meant. */
  inner?: NestedIdentity | undefined;
}

/** The path of the field that it is an object of. */
export function pathOf({ field, inner }: NestedIdentity): string {
  return inner === undefined ? field : `${field}.${pathOf(inner)}`;
}

/** An object of a nested field. */
export interface NestedObject {
  identity: NestedIdentity;
  /** Its JSON. */
  source: Uint8Array;
  /** JSON of a document that has it alone, where it stands. */
  alone: Uint8Array;
}

/** An object on the way to the one that is looked for. */
interface Step {
  path: string;
  offset: number;
}

/**
 * The nested document that stands so many places before the document with this source: 1 is the first object, since the last one
 * comes first (host/mapping/nestedDocuments.ts). Undefined where there is none.
 */
export function nestedObject(
  model: MappingModel,
  { type, source }: { type: string; source: Uint8Array },
  place: number,
): NestedObject | undefined {
  const root = model.type(type)?.root;
  const whole = parseRaw(new TextDecoder().decode(source));
  if (root === undefined || !isRawObject(whole)) return undefined;
  const walk = new Walk(place);
  walk.fields(root, whole, [], new Map());
  return walk.found;
}

class Walk {
  found: NestedObject | undefined;
  #left: number;

  constructor(place: number) {
    this.#left = place;
  }

  /** Goes through an object as indexing does; `counts` are the objects so far by path, within the innermost nested one. */
  fields(object: ObjectField, value: RawObject, steps: readonly Step[], counts: Map<string, number>): void {
    // The order of indexing is that of a JavaScript object.
    for (const [name, each] of Object.entries(Object.fromEntries(value.entries))) {
      if (this.found !== undefined) return;
      const child = object.children.get(name);
      if (child instanceof ObjectField && child.enabled) this.#value(child, each, steps, counts);
    }
  }

  #value(child: ObjectField, value: Raw, steps: readonly Step[], counts: Map<string, number>): void {
    if (this.found !== undefined) return;
    if (Array.isArray(value)) for (const each of value) this.#value(child, each, steps, counts);
    else if (!isRawObject(value)) return;
    else if (child.nested === undefined) this.fields(child, value, steps, counts);
    else {
      const path = child.fullName;
      const offset = counts.get(path) ?? 0;
      counts.set(path, offset + 1);
      const here = [...steps, { path, offset }];
      if (--this.#left === 0) {
        const text = print(value);
        const alone = path
          .split('.')
          .reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, text);
        const utf8 = new TextEncoder();
        this.found = { identity: identityOf(here), source: utf8.encode(text), alone: utf8.encode(alone) };
        return;
      }
      this.fields(child, value, here, new Map());
    }
  }
}

function identityOf(steps: readonly Step[]): NestedIdentity {
  let inner: NestedIdentity | undefined;
  for (let i = steps.length - 1; i >= 0; i--) {
    const { path, offset } = steps[i]!;
    const around = i === 0 ? 0 : steps[i - 1]!.path.length + 1;
    inner = { field: path.slice(around), offset, ...(inner === undefined ? {} : { inner }) };
  }
  return inner!;
}
