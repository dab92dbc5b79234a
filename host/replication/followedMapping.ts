/**
 * The mapping of an index as its log has made it on this node: taken as it stands in a message, kept in the store, then in force. With it goes
 * what is in an order with documents as the mapping is: the settings that they are parsed by, and whether the index is closed.
 */
import type { Place } from '../cluster/checksum.js';
import type { LogMessage } from '../cluster/log.js';
import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { analysisOf, isSameAnalysis } from '../settings/analysisSettings.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { encodeJson, loggedMappingKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { MalformedCommand, NewerCommand } from './documentCommand.js';
import { decodeMapping, type LoggedMapping, type MappingCommand, readLoggedMapping } from './indexLog.js';
import { pause } from './pause.js';

/** What it needs of the node. */
export interface FollowedMappingContext {
  storage: Storage;
  clock: Clock;
  warn(message: string): void;
  /** The analyzers that settings define. */
  analyzers(flat: FlatSettings): AnalyzerRegistry;
  /** The mapping was changed. */
  remapped(index: OpenIndex): void;
}

const RETRY_MS = 500;

export class FollowedMapping {
  readonly #index: OpenIndex;
  readonly #context: FollowedMappingContext;
  /** Aborts when the index goes. */
  readonly #ending: AbortSignal;
  #position: number;
  #adopted: Place;
  #isChanging = false;
  #leftOut = 0;
  /** As the log says it; undefined where it says nothing. */
  #analysis: FlatSettings | undefined;
  #turn: number | undefined;

  constructor(index: OpenIndex, context: FollowedMappingContext, ending: AbortSignal) {
    this.#index = index;
    this.#context = context;
    this.#ending = ending;
    const kept = this.kept;
    this.#position = kept?.position ?? 0;
    this.#adopted = { position: this.#position, checksum: kept?.checksum ?? 0 };
    this.#analysis = kept?.analysis;
    this.#turn = kept?.turn;
  }

  /** The settings of analysis that the log has come to. */
  get analysis(): FlatSettings {
    const { begun, settings } = this.#index.metadata;
    return this.#analysis ?? begun ?? analysisOf(settings.flat);
  }

  /** How often the index was closed and opened, as the log has come to; 0 where it says nothing of that. */
  get turn(): number {
    return this.#turn ?? 0;
  }

  /** Whether operations come to nothing from here on. */
  get isClosed(): boolean {
    return this.turn % 2 === 1;
  }

  /** What the next message has to say besides the mapping. */
  get said(): Pick<MappingCommand, 'analysis' | 'turn'> {
    return { analysis: this.#analysis, turn: this.#turn };
  }

  /** The position of the last change that was carried out. */
  get position(): number {
    return this.#position;
  }

  /** The last change that documents are parsed by; it may not be in the store yet. */
  get adopted(): Place {
    return this.#adopted;
  }

  /** Whether it is being changed. A change that fails half-way is made again. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  /** The position of the last change that was left out; 0 where none was. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** What is in the store. */
  get kept(): LoggedMapping | undefined {
    return readLoggedMapping(this.#context.storage, this.#index.name, this.#index.metadata.uuid);
  }

  /**
   * Takes a change of the log when all documents before it are parsed by the mapping before.
   * @param carriedOut resolves when they are
   * @param reading aborts when they are to be read again
   */
  async change(message: LogMessage, carriedOut: () => Promise<unknown>, reading: AbortSignal): Promise<void> {
    this.#isChanging = true;
    await this.#change(message, carriedOut, reading);
    this.#isChanging = false;
  }

  /** Takes the mapping of another node, where that is newer. */
  async take({ position, checksum, ...command }: LoggedMapping): Promise<void> {
    if (position <= this.#position) return;
    this.#isChanging = true;
    this.#adopted = { position, checksum };
    this.#adopt(command);
    await this.#settle(this.#adopted);
    this.#isChanging = false;
  }

  async #change(
    { position, checksum, bytes, after }: LogMessage,
    carriedOut: () => Promise<unknown>,
    reading: AbortSignal,
  ): Promise<void> {
    if (position <= this.#position) return;
    await carriedOut();
    // A copy has joined that has to parse what comes before by the mapping as it is.
    if (reading.aborted) return;
    const index = this.#index;
    try {
      this.#adopted = { position, checksum };
      if (after !== undefined && after !== this.#position)
        throw new MalformedCommand('it was made of another one than the last');
      const command = decodeMapping(bytes);
      // Nothing that was parsed by the settings before is parsed again, and cores are told of fields once.
      if (this.#analyses(command)) await Promise.allSettled(index.copies.map((shard) => shard.letGo()));
      const opens = this.#opens(command);
      this.#adopt(command);
      // What was written before it was closed is found from its opening on, whatever node is asked: here, before any says that it is open.
      if (opens) await index.refresh();
    } catch (e) {
      if (e instanceof NewerCommand) throw e;
      this.#context.warn(`[${index.name}] a mapping of the log is left out: ${(e as Error).message}`);
      this.#leftOut = position;
    }
    await this.#settle({ position, checksum });
  }

  /** Whether a message changes the settings of analysis. */
  #analyses({ analysis }: MappingCommand): boolean {
    return analysis !== undefined && !isSameAnalysis(analysis, this.analysis);
  }

  /** Whether a message opens the index. */
  #opens({ turn = 0 }: MappingCommand): boolean {
    return turn > this.turn && turn % 2 === 0;
  }

  #adopt(command: MappingCommand): void {
    const { mapping, analysis = this.#analysis, turn = 0 } = command;
    const registry = this.#analyses(command) ? this.#context.analyzers(analysis!) : undefined;
    this.#index.adoptMapping(mapping, registry);
    this.#analysis = analysis;
    // One of an earlier turn came late.
    if (turn > this.turn) this.#turn = turn;
  }

  /** Brings what there is in line with the mapping that has been adopted. */
  async #settle(place: Place): Promise<void> {
    await this.#keep(place);
    // A copy may go meanwhile. That is made up for here: what is kept is not read again where no copy is left.
    await this.#untilDone(() => this.#bringInLine(place));
    this.#position = place.position;
    this.#context.remapped(this.#index);
  }

  async #bringInLine(place: Place): Promise<void> {
    const index = this.#index;
    await index.joinOlder();
    if (index.model.joining.length === 0) await this.#keep(place);
    for (const shard of index.copies) await shard.tellFields();
  }

  async #keep({ position, checksum }: Place): Promise<void> {
    const { name, metadata, model } = this.#index;
    const { uuid } = metadata;
    const logged: LoggedMapping = { uuid, mapping: model.save(), position, checksum, ...this.said };
    const row = [loggedMappingKey(name), encodeJson(logged)] as const;
    // It is in the log, and small: a reserve of the disk is there for it.
    await this.#untilDone(() => this.#context.storage.commit([row], [], { freeing: true }));
  }

  /** Does something, again and again where it fails, while the index is there. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    const { warn, clock } = this.#context;
    for (;;) {
      try {
        return await work();
      } catch (e) {
        this.#ending.throwIfAborted();
        warn(`[${this.#index.name}] follows its log no further for now: ${(e as Error).message}`);
        await pause(clock, RETRY_MS, this.#ending);
      }
    }
  }
}
