/**
 * Thrown where a document needs fields or types that its index doesn't have, and whose mapping changes by its log alone. It passes through
 * everything that turns errors into outcomes: the mapping is changed first, and the document is parsed anew.
 */
export class MappingNeeded extends Error {
  constructor() {
    super('the document needs a mapping that its index does not have');
  }
}
