/** Search: hits beside the explanation of one of them; two searches beside each other. */

import { place, selectedIndex, setParams } from '../../app/location';
import { IndexPicker } from '../../components/IndexPicker';
import { Panel } from '../../components/Panel';
import { useFields } from '../../components/useFields';
import { ViewHeader } from '../../components/ViewHeader';
import { Comparison } from './Comparison';
import { OneSearch } from './OneSearch';
import { QueryForm } from './QueryForm';
import { readSearch, type SearchState, searchParams } from './searchState';
import './search.css';

export default function SearchView() {
  const { params } = place.value;
  const index = selectedIndex.value;
  const state = readSearch(params);
  const isComparing = params.get('compare') === 'true';
  const fields = useFields(index).value.value ?? [];
  const change = (next: SearchState) => setParams({ ...searchParams(next), hit: undefined });
  return (
    <>
      <ViewHeader title="Search">
        <IndexPicker allowsAll />
        <button
          type="button"
          aria-pressed={isComparing}
          onClick={() =>
            setParams(
              isComparing
                ? { compare: undefined, index2: undefined, ...emptied() }
                : // The second search begins as the first one.
                  { compare: 'true', ...searchParams(state, '2') },
            )
          }
        >
          {isComparing ? 'End comparing' : 'Compare with another search'}
        </button>
      </ViewHeader>
      <div class="stack">
        {isComparing ? (
          <Comparison first={state} fields={fields} onFirst={change} />
        ) : (
          <>
            <Panel title="Query">
              <QueryForm label="Query" index={index} state={state} fields={fields} onChange={change} />
            </Panel>
            <OneSearch index={index} state={state} fields={fields} onChange={change} />
          </>
        )}
      </div>
    </>
  );
}

/** The second search's parameters, taken out. */
function emptied(): Record<string, undefined> {
  return Object.fromEntries(
    Object.keys(searchParams(readSearch(new URLSearchParams()), '2')).map((name) => [name, undefined]),
  );
}
