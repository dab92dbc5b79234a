import { isObject } from '../json/values.js';
import { countOf } from './message.js';

/** An index, and how far its log has to be carried out first. */
export interface IndexPlace {
  name: string;
  uuid: string;
  position: number;
}

/** What another node says. Throws for what is none. */
export function readIndexPlace(value: unknown): IndexPlace {
  if (!isObject(value) || typeof value.name !== 'string' || typeof value.uuid !== 'string')
    throw new Error('a place that is none');
  return { name: value.name, uuid: value.uuid, position: countOf(value.position) };
}
