/** What is said of rows of the store that are not what was written. */
import { ElasticsearchError } from '../errors.js';
import { documentUid } from '../storage/storedDocuments.js';
import {
  decodeIdRecord,
  idKey,
  numberOfDictionary,
  seqOfKey,
  shardOfKey,
  uidOfKey,
} from '../storage/records.js';
import type { DamagedRow, Storage } from '../storage/storage.js';

/** Error of a document that can't be read. @param shard the shard's name in messages */
export function damagedDocument(shard: string, what: string, { message }: DamagedRow): ElasticsearchError {
  return new ElasticsearchError('CorruptIndexException', `${shard} ${what} is damaged: ${message}`);
}

/** The `type/id` of a document whose row is damaged; undefined if that can't be told from what is left. */
export function damagedUid(storage: Storage, { key, value }: DamagedRow): string | undefined {
  try {
    const uid = new TextDecoder().decode(documentUid(value));
    const record = storage.get(idKey(shardOfKey(key), uid));
    const isItsOwn = record !== undefined && decodeIdRecord(record).seq === seqOfKey(key);
    return isItsOwn ? uid.replace('#', '/') : undefined;
  } catch {
    return undefined;
  }
}

/** What a damaged row of a document is called: by its id, or else by its operation. */
export function nameOfDocument(storage: Storage, row: DamagedRow): string {
  const uid = damagedUid(storage, row);
  return uid === undefined ? `the document of operation ${seqOfKey(row.key)}` : `document ${uid}`;
}

/** What a damaged record of an id is called. */
function nameOfId({ key }: DamagedRow): string {
  return `the record of document ${uidOfKey(key).replace('#', '/')}`;
}

/** What the row that a document can't be read without is called. */
export function nameOfRow(storage: Storage, row: DamagedRow): string {
  switch (String.fromCharCode(row.key[0]!)) {
    case 'd':
      return nameOfDocument(storage, row);
    case 'z':
      return `the dictionary ${numberOfDictionary(row.key)} of its documents`;
    default:
      return nameOfId(row);
  }
}

/** Error of an index whose metadata can't be read. */
export function damagedMetadata(index: string, { message }: DamagedRow): ElasticsearchError {
  return new ElasticsearchError('CorruptIndexException', `[${index}] the metadata are damaged: ${message}`);
}
