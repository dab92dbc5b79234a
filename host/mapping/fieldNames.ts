/** Fields by their names: of fields of one name, the first. */
import type { LeafField } from './field.js';

export class FieldNames {
  readonly #byFullName = new Map<string, LeafField>();
  readonly #byIndexName = new Map<string, LeafField>();
  /** Those whose names have several parts, by the last one. */
  readonly #byLastPart = new Map<string, LeafField[]>();

  constructor(fields: Iterable<LeafField>) {
    for (const field of fields) {
      const { fullName, indexName } = field;
      if (!this.#byFullName.has(fullName)) this.#byFullName.set(fullName, field);
      if (indexName !== undefined && !this.#byIndexName.has(indexName))
        this.#byIndexName.set(indexName, field);
      const dot = fullName.lastIndexOf('.');
      if (dot < 0) continue;
      const last = fullName.slice(dot + 1);
      const others = this.#byLastPart.get(last);
      if (others === undefined) this.#byLastPart.set(last, [field]);
      else others.push(field);
    }
  }

  /** A field by its full name, by its name in the index, or by the last parts of its name. */
  find(name: string): LeafField | undefined {
    const found = this.#byFullName.get(name) ?? this.#byIndexName.get(name);
    if (found !== undefined) return found;
    const end = `.${name}`;
    const last = name.slice(name.lastIndexOf('.') + 1);
    return this.#byLastPart.get(last)?.find(({ fullName }) => fullName.endsWith(end));
  }
}
