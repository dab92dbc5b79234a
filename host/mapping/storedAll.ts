/** The text of a document's `_all`, made again from its source where it is kept by itself. */

import { readBoosted } from './boosted.js';
import type { LeafField } from './field.js';
import { ObjectField } from './objects.js';
import type { TypeMapping } from './root.js';
import { isObject, type JsonObject } from '../json/values.js';

/** What `_all` keeps of a source: every text that joined it, each with a space behind it. */
export function storedAll(type: TypeMapping, source: JsonObject): string {
  const texts: string[] = [];
  collect(type.root, source, undefined, texts);
  return texts.map((text) => `${text} `).join('');
}

function collect(object: ObjectField, source: JsonObject, given: boolean | undefined, texts: string[]): void {
  const inAll = object.includeInAll ?? given;
  for (const [name, value] of Object.entries(source)) {
    const child = object.children.get(name);
    if (child instanceof ObjectField) {
      if (child.enabled)
        for (const each of [value].flat(DEEP)) if (isObject(each)) collect(child, each, inAll, texts);
    } else if (child !== undefined && (child.includeInAll ?? inAll ?? child.number >= 0)) {
      collectValue(child, value, texts);
    }
  }
}

const DEEP = Number.POSITIVE_INFINITY;

function collectValue(field: LeafField, value: unknown, texts: string[]): void {
  if (Array.isArray(value) && !field.ownsArrays) {
    for (const each of value) collectValue(field, each, texts);
    return;
  }
  const text = field.allText(
    field.takesBoosts && isObject(value) ? (readBoosted(value).value ?? null) : value,
  );
  if (text !== undefined) texts.push(text);
}
