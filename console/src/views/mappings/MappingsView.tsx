/** What the fields of an index are indexed as, and its settings. */
import { encodeNames } from '../../api/client';
import { isObject, type Json, type JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { selectedIndex } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { IndexPicker } from '../../components/IndexPicker';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { ViewHeader } from '../../components/ViewHeader';
import { IndexSettings } from './IndexSettings';
import { TypePanel } from './TypePanel';
import './mappings.css';

interface IndexAnswer {
  name: string;
  mappings: Readonly<Record<string, Json | undefined>>;
  settings: JsonObject;
}

export default function MappingsView() {
  const client = useClient();
  const index = selectedIndex.value;
  const answered = useAnswer(
    async (signal): Promise<IndexAnswer[]> => {
      if (index === '') return [];
      const options = { signal, quiet: true };
      const [mappings, settings] = await Promise.all([
        client.get(`/${encodeNames(index)}/_mapping`, options),
        client.get(`/${encodeNames(index)}/_settings`, options),
      ]);
      const names = [...new Set([...Object.keys(settings), ...Object.keys(mappings)])].sort();
      return names.map((name) => ({
        name,
        mappings: inside(mappings[name], 'mappings'),
        settings: inside(inside(settings[name], 'settings'), 'index'),
      }));
    },
    [client, index],
  );
  const { value, error, reload } = answered.value;
  return (
    <>
      <ViewHeader title="Mappings">
        <IndexPicker />
      </ViewHeader>
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Reading" />
      ) : index === '' ? (
        <p class="empty">Choose an index to see what its fields are indexed as.</p>
      ) : (
        <div class="stack">
          {value.map(({ name, mappings, settings }) => (
            <div class="stack" key={name}>
              {Object.entries(mappings).map(([type, mapping]) => (
                <TypePanel
                  key={type}
                  index={name}
                  type={type}
                  mapping={isObject(mapping) ? mapping : {}}
                  settings={settings}
                  onChanged={reload}
                />
              ))}
              {Object.keys(mappings).length === 0 && (
                <TypePanel
                  index={name}
                  type={undefined}
                  mapping={{}}
                  settings={settings}
                  onChanged={reload}
                />
              )}
              <IndexSettings name={name} settings={settings} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function inside(value: Json | undefined, name: string): JsonObject {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}
