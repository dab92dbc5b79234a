/** Documents on their way from one node to another: a head in JSON for each, and the sources, one behind the other. */
import { isObject } from '../json/values.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { type Version, versionFrom } from '../storage/versions.js';

/** A document, and what is said of it besides. */
export interface SentDocument {
  document: StoredDocument;
  /** The key of its row. */
  key?: number;
  /** Whether searches find this version of it. */
  isShown?: boolean;
}

/** The heads and the sources; null stands for a document that isn't there. */
export function encodeDocuments(documents: readonly (SentDocument | undefined)[]): {
  heads: unknown[];
  bytes: Uint8Array;
} {
  const heads = documents.map((sent) => {
    if (sent === undefined) return null;
    const { document, key, isShown } = sent;
    const { type, id, routing, parent, timestamp, expires, version, source } = document;
    const told = { key, isShown, bytes: source.length };
    // By their names: a copy of all but some took 7 us of each document.
    return { type, id, routing, parent, timestamp, expires, version: writtenVersion(version), ...told };
  });
  const size = documents.reduce((sum, sent) => sum + (sent?.document.source.length ?? 0), 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const sent of documents) {
    if (sent === undefined) continue;
    bytes.set(sent.document.source, at);
    at += sent.document.source.length;
  }
  return { heads, bytes };
}

/** JSON has no numbers of 64 bits. */
export function writtenVersion(version: Version): number | string {
  return typeof version === 'number' ? version : String(version);
}

/** Throws for what is no such message. Sources are views of the bytes. */
export function decodeDocuments(heads: unknown, bytes: Uint8Array): (SentDocument | undefined)[] {
  if (!Array.isArray(heads)) throw malformed();
  let at = 0;
  return heads.map((head: unknown): SentDocument | undefined => {
    if (head === null) return undefined;
    if (!isObject(head)) throw malformed();
    const { type, id, bytes: size, key, isShown } = head;
    if (typeof type !== 'string' || typeof id !== 'string' || !isCount(size) || size > bytes.length - at)
      throw malformed();
    at += size;
    const document: StoredDocument = {
      type,
      id,
      version: versionOf(head.version),
      routing: textOf(head.routing),
      parent: textOf(head.parent),
      timestamp: numberOf(head.timestamp),
      expires: numberOf(head.expires),
      source: bytes.subarray(at - size, at),
    };
    return { document, ...(isCount(key) ? { key } : {}), isShown: isShown === true };
  });
}

function malformed(): Error {
  return new Error('documents of another node that are none');
}

/** A version as {@link writtenVersion} wrote it. */
export function versionOf(value: unknown): StoredDocument['version'] {
  if (Number.isSafeInteger(value)) return value as number;
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return versionFrom(BigInt(value));
  throw malformed();
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw malformed();
}

function numberOf(value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  throw malformed();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
