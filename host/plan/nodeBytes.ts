/** The bytes of a plan's nodes: each kind writes its own ({@link nodes.ts}). */
import { NodeCode } from '../core/abi/plan.js';
import { PlanBytes, tooComplex } from '../core/planBytes.js';
import { kindOf, type PlanNode } from './nodes.js';
import { MAX_DEPTH, MAX_NODES, type PlanShard } from './plan.js';

/** Writes the nodes of one plan. */
export class NodeWriter extends PlanBytes {
  #nodes = 0;
  readonly #shard: PlanShard | undefined;
  readonly #places: Map<number, PlanNode> | undefined;

  /** `shard` is asked for the documents that are searched by id; `places` is told where each node begins. */
  constructor(shard: PlanShard | undefined, places: Map<number, PlanNode> | undefined) {
    super();
    this.#shard = shard;
    this.#places = places;
  }

  /** A node that only filters: with its length, so that the core need not read it where what it matches is kept. */
  filter(node: PlanNode, depth: number): void {
    if (kindOf(node).isUnkept === true) {
      this.node(node, depth);
      return;
    }
    this.u8(NodeCode.kept);
    const at = this.length;
    this.u32(0);
    this.node(node, depth);
    this.u32At(at, this.length - at - 4);
  }

  /**
   * @param depth how many nodes stand above it, and itself
   * @throws where the plan is too deep or has too many nodes
   */
  node(node: PlanNode, depth: number): void {
    if (depth > MAX_DEPTH) throw tooComplex(`more than ${MAX_DEPTH} levels deep`);
    if (++this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} parts`);
    this.#places?.set(this.length, node);
    kindOf(node).write(node, this, depth);
  }

  /** The shard that the plan is for. */
  get shard(): PlanShard {
    if (this.#shard === undefined) throw new Error('the plan differs from shard to shard');
    return this.#shard;
  }
}
