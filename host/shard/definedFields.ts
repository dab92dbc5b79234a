/** The fields of an index as one client of a shard knows them. */
import type { CoreField } from '../core/instance.js';

export class DefinedFields {
  #known: readonly CoreField[] = [];

  /**
   * Those that the client is to be told of now: they are new to it, or have lost something since it was told of them. It counts as told.
   * @param fields all fields of the index, in the order they were defined
   */
  changed(fields: readonly CoreField[]): CoreField[] {
    const known = this.#known;
    if (known === fields) return [];
    this.#known = fields;
    const changed: CoreField[] = [];
    for (let i = 0; i < fields.length; i++) {
      const [before, field] = [known[i], fields[i]!];
      if (before === field) continue;
      if (before !== undefined && before.filter !== field.filter)
        changed.push({ ...field, filter: field.filter ?? new Uint8Array(0) });
      else if (before?.filter !== field.filter || before?.flags !== field.flags) changed.push(field);
    }
    return changed;
  }
}
