/** The bytes of plans: assembly/search/README.md draws them. */
import { PlanFlag, PlanOption } from '../core/abi/plan.js';
import { count, type PlanBytes } from '../core/planBytes.js';
import { NodeWriter } from '../plan/nodeBytes.js';
import type { PlanNode } from '../plan/nodes.js';
import type { Plan, PlannedAggregations, PlanShard, Rescore } from '../plan/plan.js';
import { insideKeys, writeSort } from '../plan/sortKeys.js';

const MAGIC = 0x4e4c5052;
const VERSION = 1;

/**
 * The bytes of a plan. `shard` is asked for the documents that are searched by id; `places` is told where each node begins.
 */
export function encodePlan(plan: Plan, shard?: PlanShard, places?: Map<number, PlanNode>): Uint8Array {
  const writer = new NodeWriter(shard, places);
  writer.u32(MAGIC);
  writer.u8(VERSION);
  const { postFilter, sort, aggregations } = plan;
  writer.u8(
    (postFilter === undefined ? 0 : PlanFlag.postFilter) |
      (plan.inOrder ? PlanFlag.inOrder : 0) |
      (sort === undefined ? 0 : PlanFlag.sort) |
      (aggregations === undefined ? 0 : PlanFlag.aggregations),
  );
  writeOptions(plan, writer);
  writer.u32(plan.k);
  writeHead(plan, writer);
  writer.node(plan.root, 1);
  if (postFilter !== undefined) writer.filter(postFilter, 1);
  writeTail(plan, writer);
  if (sort !== undefined) writeSort(sort, writer);
  const inside = insideKeys(sort);
  if (inside.length > 0) {
    writer.u8(inside.length);
    for (const { number, inside: filter } of inside) {
      writer.u8(number);
      writer.node(filter, 1);
    }
  }
  if (aggregations !== undefined) writeAggregations(aggregations, writer);
  return writer.bytes();
}

/** Which of the optional parts a plan has. */
function writeOptions(plan: Plan, out: PlanBytes): void {
  out.u16(
    (plan.minScore === undefined ? 0 : PlanOption.minScore) |
      (plan.rescore === undefined ? 0 : PlanOption.rescore) |
      (plan.statistics === undefined ? 0 : PlanOption.statistics) |
      (plan.named === undefined ? 0 : PlanOption.named) |
      (plan.explain === undefined ? 0 : PlanOption.explain) |
      (plan.terminateAfter === undefined ? 0 : PlanOption.terminate) |
      (plan.gather === true ? PlanOption.gather : 0) |
      (plan.similarities === undefined ? 0 : PlanOption.similarities) |
      (insideKeys(plan.sort).length === 0 ? 0 : PlanOption.nestedSort) |
      (plan.partial === true ? PlanOption.partial : 0) |
      (plan.findsNested === true ? PlanOption.nested : 0),
  );
}

/** The optional parts before the root. */
function writeHead(plan: Plan, out: PlanBytes): void {
  if (plan.minScore !== undefined) out.f32(plan.minScore);
  if (plan.terminateAfter !== undefined) out.u32(plan.terminateAfter);
  if (plan.explain !== undefined) {
    out.u32(plan.explain.length);
    for (const key of plan.explain) {
      out.u32(key >>> 0);
      out.u32(Math.floor(key / 0x1_0000_0000));
    }
  }
  if (plan.similarities !== undefined) {
    out.u16(plan.similarities.size);
    for (const [field, { kind, basic, effect, normalization, first, second }] of plan.similarities) {
      out.u16(field);
      for (const part of [kind, basic, effect, normalization]) out.u8(part);
      out.f32(first);
      out.f32(second);
    }
  }
  if (plan.statistics !== undefined) {
    out.u32(plan.statistics.terms.length);
    for (const { field, term, df, frequency } of plan.statistics.terms) {
      out.u16(field);
      out.u32(df);
      out.f64(frequency);
      out.term(term);
    }
    out.u16(count(plan.statistics.fields));
    for (const { field, documents, frequency } of plan.statistics.fields) {
      out.u16(field);
      out.u32(documents);
      out.f64(frequency);
    }
  }
}

/** The optional parts behind the post filter. */
function writeTail(plan: Plan, out: NodeWriter): void {
  if (plan.rescore !== undefined) {
    out.u16(count(plan.rescore));
    for (const each of plan.rescore) writeRescore(each, out);
  }
  if (plan.named !== undefined) {
    out.u16(count(plan.named));
    for (const each of plan.named) out.node(each, 1);
  }
}

/** The section of the aggregations: the filters that they ask first. */
function writeAggregations({ list, filters }: PlannedAggregations, out: NodeWriter): void {
  out.u16(filters.length);
  for (const filter of filters) out.filter(filter, 1);
  out.u16(list.length);
  for (const each of list) each.write(out);
}

function writeRescore(rescore: Rescore, out: NodeWriter): void {
  out.u32(rescore.window);
  out.f32(rescore.queryWeight);
  out.f32(rescore.rescoreWeight);
  out.u8(rescore.mode);
  out.node(rescore.node, 1);
}
