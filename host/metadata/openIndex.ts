/** One index: its settings, its mapping, its shards. */
import type { AnalyzerRegistry } from '../analysis/registry.js';
import { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import {
  type ElasticsearchError,
  mapperParsing,
  noParentField,
  routingMissing,
  toElasticsearchError,
  typeMissing,
} from '../errors.js';
import { MappingNeeded } from '../mappingNeeded.js';
import { withFilters } from '../query/term/fielddataFilters.js';
import { readSource, readSourceInTurns } from '../mapping/documentSource.js';
import { type DocumentInput, DocumentParser, type Encoded } from '../mapping/documents.js';
import type { GivenTimes, Times } from '../mapping/documentTimes.js';
import type { LeafField } from '../mapping/field.js';
import { MappingModel, type SavedMapping } from '../mapping/model.js';
import { ObjectField } from '../mapping/objects.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { decodeJson, encodeJson, indexKey } from '../storage/records.js';
import { Percolator } from '../percolate/percolator.js';
import { PERCOLATOR } from '../percolate/queries.js';
import type { Entry } from '../storage/storage.js';
import type { AliasMetadata } from './aliases.js';
import type { ChosenByShard } from './chosenNodes.js';
import { withPlace } from '../json/jsonPlace.js';
import { BrokenJson } from '../json/brokenJson.js';
import { shardOf } from '../shard/routing.js';
import { defaultMappingOf } from './scriptIndex.js';
import { type VisibleDocument, visibleDocument } from '../mapping/sourcePaths.js';
import type { Block, ClusterBlocks } from '../settings/blocks.js';
import { type FlatSettings, GC_DELETES_MS, type IndexSettings } from '../settings/indexSettings.js';
import { Shard } from '../shard/shard.js';
import type { ShardDocuments } from '../shard/shardDocuments.js';
import type {
  ChangedMetadata,
  EncodedDocument,
  ShardIndex,
  ShardOrigin,
  ShardServices,
} from '../shard/shardIndex.js';
import type { Frozen } from '../shard/shardWrites.js';
import { jsonBytesInTurns } from '../json/longJsonText.js';
import { Passes } from '../passes.js';
import { inTurnsIfLong, type Turns, WorkLimit } from '../workLimit.js';

/** An index as it is stored. */
export interface IndexMetadata {
  name: string;
  uuid: string;
  created: number;
  settings: IndexSettings;
  mapping?: SavedMapping;
  /** Its shards are not there, its documents are kept. */
  closed?: boolean;
  aliases?: Record<string, AliasMetadata>;
  warmers?: Record<string, Warmer>;
  /** Numbers of its shards in the store, by shard. */
  shardUids: number[];
  /** What its shards begin with on every node of a cluster. */
  origin?: ShardOrigin;
  /** Of an index that was repaired, by shard: the node whose copy counted. The others have fetched theirs since. */
  continued?: string[];
  /** How often it was closed and opened in a cluster: an odd number while it is closed. */
  turn?: number;
  /** The settings of analysis that its log began with in a cluster, where they are others by now. */
  begun?: FlatSettings;
  /** What commands have chosen for its copies in a cluster. */
  chosen?: ChosenByShard;
}

/** An index in a snapshot. */
export type RestoreSource = Omit<ShardOrigin, 'digest'>;

/** A search that is kept with an index. */
export interface Warmer {
  types: string[];
  /** Whether its answer may be kept; undefined where nothing was said. */
  queryCache?: boolean;
  source: unknown;
}

const utf8 = new TextDecoder();
/** Values of a long document that are read without a turn for others: about 4 ms, some more for the first ones. */
const MOST_AT_ONCE = 5000;
/** Bytes of a source that is parsed at once where it is not to be kept. */
const SHORT_SOURCE = 16 * 1024;
const NO_DYNAMIC = ', trying to auto create mapping, but dynamic mapping is disabled';

/** How often a mapping that changes meanwhile is written in turns before it is written at once. */
const ATTEMPTS = 4;

/** An index: its metadata and its shards; on a node alone it has none while it is closed. */
export class OpenIndex implements ShardIndex {
  readonly name: string;
  readonly #blocks: ClusterBlocks;
  #metadata: IndexMetadata;
  #registry: AnalyzerRegistry;
  #model: MappingModel;
  /** Where the index came from, if this process restored it. */
  restoredFrom: RestoreSource | undefined;
  /** The queries that documents are percolated with. */
  readonly percolator: Percolator;
  #parser: DocumentParser;
  #shards: Shard[] = [];
  /** Copies that are being made, by number. */
  readonly #joining = new Map<number, Shard>();
  #services: ShardServices | undefined;
  #fields: { version: number; list: readonly CoreField[] } | undefined;
  #committed: number;
  /** Commits of metadata that are under way. */
  #keeping = 0;
  #now: () => number = () => 0;

  /** Throws if the saved mapping can't be used. */
  constructor(metadata: IndexMetadata, registry: AnalyzerRegistry, blocks: ClusterBlocks) {
    this.#blocks = blocks;
    this.name = metadata.name;
    this.#metadata = metadata;
    this.#registry = registry;
    this.#model = new MappingModel(registry, metadata.mapping, defaultMappingOf(metadata.name));
    this.#parser = new DocumentParser(this.model);
    this.#committed = this.model.version;
    this.percolator = new Percolator(metadata.name);
  }

  get model(): MappingModel {
    return this.#model;
  }

  get registry(): AnalyzerRegistry {
    return this.#registry;
  }

  /**
   * Has another mapping from now on, as the index's log says; nothing of the index is being parsed. Shards are told of its fields with the
   * next documents, or by {@link Shard.tellFields}.
   * @param registry the analyzers that it names
   */
  adoptMapping(mapping: SavedMapping, registry = this.#registry): void {
    const model = new MappingModel(registry, mapping, defaultMappingOf(this.name));
    model.succeeds(this.#model.version);
    model.frozen = this.#model.frozen;
    model.admit = this.#model.admit;
    this.#registry = registry;
    this.#model = model;
    this.#parser = new DocumentParser(model);
    this.#fields = undefined;
    this.#committed = model.version;
  }

  get metadata(): IndexMetadata {
    return this.#metadata;
  }

  get gcDeletes(): number {
    return this.#metadata.settings.gcDeletes ?? GC_DELETES_MS;
  }

  get syncWithin(): number | undefined {
    return this.#metadata.settings.syncWithin;
  }

  get closed(): boolean {
    return this.#metadata.closed === true;
  }

  get uuid(): string {
    return this.#metadata.uuid;
  }

  get origin(): ShardOrigin | undefined {
    return this.#metadata.origin;
  }

  filled(): void {
    const { origin } = this;
    if (origin === undefined) return;
    const { digest: _, ...source } = origin;
    this.restoredFrom = source;
  }

  /** Whether shards are being filled with what they begin with. */
  get filling(): boolean {
    return this.#shards.some((shard) => shard.filling);
  }

  get aliases(): Readonly<Record<string, AliasMetadata>> {
    return this.#metadata.aliases ?? {};
  }

  get settings(): FlatSettings {
    return this.#metadata.settings.flat;
  }

  get warmers(): Readonly<Record<string, Warmer>> {
    return this.#metadata.warmers ?? {};
  }

  /** Other metadata from now on; the caller commits it. */
  change(metadata: Partial<IndexMetadata>): void {
    this.#metadata = { ...this.#metadata, ...metadata };
  }

  /** Refuses what the settings of the index and the cluster forbid. */
  checkBlock(what: Block): void {
    const error = this.#blocks.error(this.#metadata.settings.flat, what);
    if (error !== undefined) throw error;
  }

  /** Keeps writes back on every shard. */
  async freeze(): Promise<Frozen> {
    const all = [...this.#shards, ...this.#joining.values()];
    const frozen = await Promise.all(all.map((shard) => shard.freeze()));
    return {
      thaw: () => {
        for (const each of frozen) each.thaw();
      },
      end: (error) => {
        for (const each of frozen) each.end(error);
      },
    };
  }

  /** Lets the shards go; with `keep`, what they hold is persisted first. */
  async close(keep: boolean): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled([...this.#shards, ...this.#joining.values()].map((shard) => shard.close(keep)));
  }

  /** A document as answers may show it now. */
  visible(document: StoredDocument): VisibleDocument {
    return visibleDocument(this.model, document, this.#now);
  }

  /** Gives the index its shards, which are to be opened. */
  prepare(services: ShardServices): void {
    // Copies of a closed index are looked after as others are, where there may be several.
    if (this.closed && services.replication === undefined) return;
    this.#now = () => services.clock.now();
    // Documents change the mapping by way of the log.
    if (services.replication !== undefined) this.model.frozen = true;
    const { replication } = services;
    this.#services = services;
    this.#shards = this.#metadata.shardUids.map((uid, number) => {
      const isHeld = replication === undefined || replication.holds(this, number);
      return new Shard(this, uid, number, services, isHeld);
    });
  }

  /** Opens the shards: recovers what the store holds of them. */
  async open(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.open()));
    // What fails now is tried again when the index is opened the next time.
    await this.joinOlder().catch(() => {});
  }

  /** Has the shards let go of their cores until these are needed. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.copies.map((shard) => shard.rest()));
  }

  /** Has the shards at hand that rested while the index was closed; what was written before is found from then on. */
  async wake(): Promise<void> {
    await Promise.allSettled(this.copies.map((shard) => shard.wake()));
    await this.refresh();
  }

  /** Makes searchable what was written to the copies of this node, as far as that is possible now. */
  async refresh(): Promise<void> {
    await Promise.allSettled(this.copies.map((shard) => shard.refresh()));
  }

  /** Makes documents known to their children that are older than their type's being a parent. */
  async joinOlder(): Promise<void> {
    for (const type of this.model.joining) {
      await Promise.all(this.copies.map((shard) => shard.indexAgain(type)));
      this.model.joined(type);
    }
  }

  /** Whether shards are being opened still. */
  get opening(): boolean {
    return this.#shards.some((shard) => shard.opening);
  }

  /** Resolves when no shard is being opened any more. */
  async ready(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.ready));
  }

  /** What is searched and read on this node. */
  get shards(): readonly Shard[] {
    return this.#shards;
  }

  /** What the log of the index is carried out by on this node: the shards that are held, and those that are to be. */
  get copies(): Shard[] {
    return [...this.#shards.filter(({ isHeld }) => isHeld), ...this.#joining.values()];
  }

  /** The copy of a shard; undefined where this node has none. */
  copyOf(number: number): Shard | undefined {
    const shard = this.#shards[number];
    return shard?.isHeld === true ? shard : this.#joining.get(number);
  }

  /** A copy of a shard that isn't held follows the log from now on, and is to be opened; it isn't searched before {@link arrive}. */
  join(number: number): Shard {
    const copy = this.#made(number, true);
    this.#joining.set(number, copy);
    return copy;
  }

  /** The copy that joined is searched from now on; returns what was in its place. */
  arrive(number: number): Shard {
    const copy = this.#joining.get(number)!;
    this.#joining.delete(number);
    return this.#put(copy);
  }

  /** The copy of a shard that is held is searched no more before {@link arrive}; it follows the log still. */
  retreat(number: number): void {
    this.#joining.set(number, this.leave(number));
  }

  /** The shard is not held any more; returns its copy, which is to be closed when nobody uses it. */
  leave(number: number): Shard {
    const joining = this.#joining.get(number);
    this.#joining.delete(number);
    if (joining !== undefined) return joining;
    const remote = this.#made(number, false);
    // There is nothing to wait for.
    void remote.open();
    return this.#put(remote);
  }

  #made(number: number, isHeld: boolean): Shard {
    const shard = new Shard(this, this.#metadata.shardUids[number]!, number, this.#services!, isHeld);
    shard.onDirty = this.#shards[number]!.onDirty;
    return shard;
  }

  #put(shard: Shard): Shard {
    const old = this.#shards[shard.number]!;
    this.#shards = this.#shards.with(shard.number, shard);
    return old;
  }

  /** The shard that holds what has this routing value, or this id if there is none. */
  shardFor(routing: string): Shard {
    const { length } = this.#shards;
    return this.#shards[length === 1 ? 0 : shardOf(routing, length)]!;
  }

  /** The shard of one document; refuses one whose type wants a routing value that isn't given. */
  shardOf(type: string, id: string, routing: string | undefined): Shard {
    if (routing === undefined && this.model.type(type)?.routingRequired)
      throw routingMissing(this.name, type, id);
    return this.shardFor(routing ?? id);
  }

  /** Whether every shard answers. */
  get active(): boolean {
    return !this.closed && this.#shards.every((shard) => shard.active);
  }

  fields(): readonly CoreField[] {
    const { version } = this.model;
    if (this.#fields?.version !== version) {
      this.#fields = { version, list: withFilters(this.model) };
    }
    return this.#fields!.list;
  }

  encode(
    batch: BatchWriter,
    seq: number,
    doc: EncodedDocument,
    times?: GivenTimes | Times,
    own?: number,
  ): Encoded {
    const input = this.#input(doc, times, own);
    const done = this.#parser.parseBytes(batch, seq, input, doc.source);
    if (done !== undefined) return done;
    try {
      Object.assign(input, readSource(doc.source));
      return this.#parser.parse(batch, seq, input);
    } catch (e) {
      throw this.#unreadable(input, doc.source, toElasticsearchError(e));
    }
  }

  *encodeInTurns(
    batch: BatchWriter,
    seq: number,
    doc: EncodedDocument,
    work: WorkLimit,
    times?: GivenTimes | Times,
  ): Turns<Encoded> {
    const input = this.#input(doc, times, undefined);
    // Others are parsed meanwhile.
    const parser = new DocumentParser(this.model);
    const done = parser.parseBytes(batch, seq, input, doc.source, MOST_AT_ONCE);
    if (done !== undefined) return done;
    try {
      Object.assign(input, yield* readSourceInTurns(doc.source, work));
      return yield* parser.parseInTurns(batch, seq, input, work);
    } catch (e) {
      throw this.#unreadable(input, doc.source, toElasticsearchError(e));
    }
  }

  /** A document that is not to be kept: a long one in turns. */
  *encodeGiven(batch: BatchWriter, seq: number, doc: EncodedDocument, work: WorkLimit): Turns<Encoded> {
    const { length } = doc.source;
    try {
      if (length <= SHORT_SOURCE && length <= this.longFrom) return this.encode(batch, seq, doc);
      return yield* this.encodeInTurns(batch, seq, doc, work);
    } catch (e) {
      throw e instanceof MappingNeeded ? this.#services!.replication!.lacking(this.name, doc) : e;
    }
  }

  /** A document whose source isn't read yet. */
  #input(
    { type, id, parent, routing, source }: EncodedDocument,
    times: GivenTimes | Times | undefined,
    key: number | undefined,
  ): DocumentInput {
    if (parent !== undefined && this.model.type(type)?.parent === undefined) throw noParentField();
    if (
      this.#metadata.settings.flat['index.mapper.dynamic'] === 'false' &&
      !this.model.hasType(type) &&
      // Settings are in no order with documents: whoever changes the mapping decides.
      !this.model.frozen
    )
      throw typeMissing(this.name, type, NO_DYNAMIC);
    // A type is there from its first document on, even if that is refused.
    this.model.ensureType(type);
    const size = source.length;
    return {
      index: this.name,
      type,
      id,
      parent,
      routing,
      times,
      size,
      source: undefined,
      raw: undefined,
      key,
    };
  }

  /** What 1.7 says of a document that it can't read: it reads and maps field by field, and tells where it stopped. */
  #unreadable(input: DocumentInput, bytes: Uint8Array, error: ElasticsearchError): ElasticsearchError {
    if (error instanceof BrokenJson) return this.#broken(input, error);
    if (error.exception !== 'MapperParsingException' || error.nested === undefined) return error;
    const field = /^failed to parse \[(.*)\]$/.exec(error.detail ?? '')?.[1];
    // Points are the fields that 1.7 doesn't name.
    const isNear = (path: readonly string[]) =>
      field === undefined
        ? this.#leaf(input.type, path)?.type === 'geo_point'
        : `${path.join('.')}.`.startsWith(`${field}.`);
    return withPlace(error, utf8.decode(bytes), isNear);
  }

  #broken(input: DocumentInput, error: BrokenJson): ElasticsearchError {
    const { before, inString } = error;
    try {
      if (before !== undefined)
        this.#parser.parse(new BatchWriter(1024), 1, { ...input, source: before, raw: undefined });
    } catch (e) {
      return toElasticsearchError(e);
    }
    const field =
      inString !== undefined && this.#leaf(input.type, inString) !== undefined
        ? inString.join('.')
        : undefined;
    return mapperParsing(`failed to parse${field === undefined ? '' : ` [${field}]`}`, error);
  }

  #leaf(type: string, path: readonly string[]): LeafField | undefined {
    let field: LeafField | ObjectField | undefined = this.model.type(type)?.root;
    for (const name of path) field = field instanceof ObjectField ? field.children.get(name) : undefined;
    return field instanceof ObjectField ? undefined : field;
  }

  get longFrom(): number {
    return this.model.longFrom;
  }

  fieldName(number: number): string {
    return this.model.fieldName(number);
  }

  get mappingVersion(): number {
    return this.model.version;
  }

  watches(type: string): boolean {
    return type === PERCOLATOR;
  }

  async check(doc: { type: string; id: string; source: Uint8Array }, work: WorkLimit): Promise<void> {
    // What it brings joins the mapping before its query is looked at.
    await inTurnsIfLong(this.encodeInTurns(new BatchWriter(1024), 1, doc, work), work);
    await this.percolator.check(doc, work);
  }

  written(
    shard: { readonly documents: ShardDocuments },
    documents: readonly { id: string }[],
  ): Promise<void> {
    return this.percolator.changed(
      shard,
      documents.map(({ id }) => id),
    );
  }

  changedMetadata(): Promise<ChangedMetadata> | undefined {
    return this.model.frozen || this.model.version === this.#committed ? undefined : this.#writtenMetadata();
  }

  async #writtenMetadata(): Promise<ChangedMetadata> {
    const work = WorkLimit.of(Number.POSITIVE_INFINITY);
    const save = () => this.model.save();
    let { version } = this.model;
    let mapping = await new Passes(work).run(save);
    // What was changed meanwhile may be there in part.
    for (let attempt = 1; this.model.version !== version; attempt++) {
      version = this.model.version;
      mapping = attempt < ATTEMPTS ? await new Passes(work).run(save) : save();
    }
    const rest = this.#metadata;
    const whole = { ...rest, mapping: { ...mapping, fields: [...mapping.fields] } };
    const bytes = await inTurnsIfLong(
      jsonBytesInTurns(whole, (steps) => work.isDue(steps)),
      work,
    );
    return { entry: [indexKey(this.name), bytes], version, rest };
  }

  takeMetadata({ entry, version, rest }: ChangedMetadata): Entry | undefined {
    if (version <= this.#committed) return undefined;
    const isCurrent = rest === this.#metadata;
    this.#committed = isCurrent ? version : this.model.version;
    this.#keeping++;
    return isCurrent ? entry : this.metadataEntry();
  }

  /** Whether metadata that were taken may not be in the store yet. */
  get isKeeping(): boolean {
    return this.#keeping > 0;
  }

  metadataKept(): void {
    this.#keeping--;
  }

  /** The metadata of an index that is made now, written in turns: nothing else changes them yet. */
  async firstMetadata(): Promise<Entry> {
    const { entry, version } = await this.#writtenMetadata();
    this.#committed = version;
    return entry;
  }

  metadataLost(): void {
    this.#keeping--;
    this.#committed = -1;
  }

  /** The index as it would be read from the store. */
  saved(): IndexMetadata {
    return decodeJson<IndexMetadata>(this.metadataEntry()[1]);
  }

  /** The index as the store keeps it, or as it would with a change. */
  metadataEntry(change: Partial<IndexMetadata> = {}): Entry {
    return [indexKey(this.name), encodeJson({ ...this.#metadata, ...change, mapping: this.model.save() })];
  }
}
