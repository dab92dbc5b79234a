/** The editor for a search's body: JSON, completed with the query language and the fields of the index. */
import { useMemo, useRef } from 'preact/hooks';
import { encodeNames } from '../../api/client';
import { useClient } from '../../app/context';
import { searchCompletion } from '../../dsl/searchCompletion';
import { JsonEditor } from '../../editor/JsonEditor';

export interface BodyEditorProps {
  label: string;
  /** Whose fields are offered; empty for all. */
  index: string;
  value: string;
  onChange: (value: string) => void;
  onRun: () => void;
}

export function BodyEditor({ index, ...props }: BodyEditorProps) {
  const client = useClient();
  const latest = useRef(index);
  latest.current = index;
  const completion = useMemo(
    () =>
      searchCompletion(client, () =>
        latest.current === '' ? '/_search' : `/${encodeNames(latest.current)}/_search`,
      ),
    [client],
  );
  return <JsonEditor {...props} extensions={completion} />;
}
