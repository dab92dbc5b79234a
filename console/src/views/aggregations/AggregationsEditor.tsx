/** Aggregations as JSON, completed with what they take and the fields of the index. */
import { useMemo } from 'preact/hooks';
import { encodeNames } from '../../api/client';
import { useClient } from '../../app/context';
import { selectedIndex } from '../../app/location';
import { searchCompletion } from '../../dsl/searchCompletion';
import { JsonEditor } from '../../editor/JsonEditor';

export function AggregationsEditor({
  value,
  onChange,
}: {
  value: string;
  onChange: (value: string) => void;
}) {
  const client = useClient();
  const completion = useMemo(
    () => searchCompletion(client, () => `/${encodeNames(selectedIndex.peek())}/_search`, ['aggs']),
    [client],
  );
  return (
    <JsonEditor label="Aggregations as JSON" value={value} onChange={onChange} extensions={completion} />
  );
}
