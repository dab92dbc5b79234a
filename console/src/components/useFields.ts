/** The fields of an index, or of several. */
import type { ReadonlySignal } from '@preact/signals';
import { encodeNames } from '../api/client';
import { fieldsOf, type MappedField } from '../api/mappingFields';
import { useClient } from '../app/context';
import { type Answered, useAnswer } from './useAnswer';

/** @param index names with commas; empty for all */
export function useFields(index: string): ReadonlySignal<Answered<readonly MappedField[]>> {
  const client = useClient();
  return useAnswer(
    async (signal) =>
      fieldsOf(
        await client.get(`${index === '' ? '' : `/${encodeNames(index)}`}/_mapping`, { signal, quiet: true }),
      ),
    [client, index],
  );
}
