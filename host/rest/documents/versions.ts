/** Versions as requests give them. */
import { ElasticsearchError, toElasticsearchError } from '../../errors.js';
import { longOf } from '../../json/values.js';
import { type Version, versionFrom } from '../../storage/versions.js';

/** In 1.7 -3 stands for "no version given". */
const ANY_VERSION = -3;

/** -3 stands for none. */
export function anyVersion(version: Version | undefined): Version | undefined {
  return version === ANY_VERSION ? undefined : version;
}

/** The version that a value of a body is; null is none. */
export function bodyVersion(value: unknown): Version | undefined {
  if (value === undefined || value === null) return undefined;
  return anyVersion(versionFrom(bodyNumber(value, longOf)));
}

/** A value of a body as a reader of numbers has it; 500 for what is no number. */
export function bodyNumber<T>(value: unknown, read: (value: unknown) => T): T {
  try {
    return read(value);
  } catch (e) {
    const { exception, detail } = toElasticsearchError(e);
    throw new ElasticsearchError(exception, detail, { status: 500 });
  }
}
