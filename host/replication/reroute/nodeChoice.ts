/** What commands of `_cluster/reroute` make of the choice that an index keeps for a shard. */
import type { ChosenNodes } from '../../metadata/chosenNodes.js';
import { isObject } from '../../json/values.js';
import { ownValue } from '../../ownNames.js';

const NOTHING: ChosenNodes = { on: {}, off: [] };

/**
 * The choice that has a node take the place of another one.
 * @param from the node that is to have no copy, which may have taken another's place itself; the same as `to` where a copy comes to be
 */
export function chosenInstead(before: ChosenNodes = NOTHING, from: string, to: string): ChosenNodes {
  const { [from]: given, ...others } = before.on;
  const off = before.off.filter((id) => id !== to && id !== from);
  return { on: { ...others, [to]: given ?? from }, off: from === to ? off : [...off, from] };
}

/** A choice without the nodes that aren't there any more: it doesn't grow for ever. */
export function withoutNodes({ on, off }: ChosenNodes, isThere: (node: string) => boolean): ChosenNodes {
  return {
    on: Object.fromEntries(Object.entries(on).filter(([id]) => isThere(id))),
    off: off.filter(isThere),
  };
}

/** What a choice says of a node that has a copy of a shard still: the node that is to take its place; undefined where there is none. */
export function successorOf(choice: ChosenNodes | undefined, node: string): string | undefined {
  if (choice?.off.includes(node) !== true) return undefined;
  const place = ownValue(choice.on, node) ?? node;
  return Object.keys(choice.on).find((id) => choice.on[id] === place);
}

/** Whether a value has the shape of choices by shard. */
export function isChosen(value: unknown): boolean {
  const isText = (each: unknown) => typeof each === 'string';
  return (
    isObject(value) &&
    Object.values(value).every(
      (choice) =>
        isObject(choice) &&
        isObject(choice.on) &&
        Object.values(choice.on).every(isText) &&
        Array.isArray(choice.off) &&
        choice.off.every(isText),
    )
  );
}
