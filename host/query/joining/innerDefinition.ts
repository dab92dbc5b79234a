/** Inner hits as a query or a search asks for them, before it is known how they are shown. */

import type { JsonObject } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';

/**
 * What they are of a hit: the objects of a nested field that are its parts, where `around` is the nested field that the hit itself
 * is an object of; or its children or parents of a type.
 */
export type InnerScope =
  | { kind: 'parts'; path: string; around: string | undefined }
  | { kind: 'family'; type: string };

export interface InnerDefinition {
  name: string;
  scope: InnerScope;
  /** The part of a search's body that says how they are shown. */
  options: JsonObject;
  query: PlanNode;
  /** What is shown of them in turn. */
  inner: readonly InnerDefinition[];
}
