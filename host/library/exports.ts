/** What the package exports on every platform besides `createEngine`. */
export type { Grants } from '../security/grants.js';
export { Principal } from '../security/principal.js';
export type { Imported } from '../snapshot/imported.js';
export type { RepositoryLocations } from '../snapshot/locations.js';
export type { Blobs, Storage } from '../storage/storage.js';
export type { Clock } from '../time/clock.js';
export type {
  BulkAnswer,
  Hit,
  JsonObject,
  JsonValue,
  SearchAnswer,
  SearchBody,
  StoredDocument,
  Written,
} from './answers.js';
export { RequestError } from './answers.js';
export type {
  Caller,
  EngineOptions,
  EngineResponse,
  ImportOptions,
  Resilin,
  WriteOptions,
} from './options.js';
export type { OpenStore, Store } from './store.js';
