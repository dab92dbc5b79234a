/** Where documents are: points, cells of a grid where there are many, shapes, rings of distances; and an area drawn as a filter. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { writeJson } from '../../api/json';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { IndexPicker } from '../../components/IndexPicker';
import { queryOf } from '../../components/queryText';
import { useAnswer } from '../../components/useAnswer';
import { useFields } from '../../components/useFields';
import { ViewHeader } from '../../components/ViewHeader';
import { AreaPanel } from './AreaPanel';
import { type Area, type GeoField, readArea } from './area';
import { distanceText } from './distances';
import { FoundPanel } from './FoundPanel';
import type { LonLat } from './geoValues';
import { MapCanvas, type Tool } from './MapCanvas';
import { type Cell, countRings, type Found, find } from './mapData';
import { cellAt, nearestHit, statusOf } from './mapReading';
import { readRings, readView, viewText } from './mapState';
import type { Scene } from './paint';
import { metresOfRings, type Rings, RingsPanel } from './RingsPanel';
import { boundsOf, type Viewport, viewOf, wholeWorld, zoomedAt } from './viewport';
import { coarseWorld, fineWorld, type World } from './world';
import './map.css';

/** What moves is asked for when it stands still. */
const STILL_MS = 200;
/** From here on, coasts are drawn fine. */
const FINE_ZOOM = 3.6;
const TOOLS: readonly { name: Tool; title: string }[] = [
  { name: 'move', title: 'Move' },
  { name: 'box', title: 'Box' },
  { name: 'circle', title: 'Circle' },
  { name: 'polygon', title: 'Polygon' },
  { name: 'origin', title: 'Rings' },
];

export default function MapView() {
  const client = useClient();
  const index = selectedIndex.value;
  const { params } = place.value;
  const query = params.get('q') ?? '';
  const fields = useFields(index);
  const geoFields = (fields.value.value ?? []).filter(
    ({ type, nested }) => (type === 'geo_point' || type === 'geo_shape') && nested === undefined,
  );
  const named = geoFields.find(({ path }) => path === params.get('field')) ?? geoFields[0];
  const field: GeoField | undefined =
    named === undefined ? undefined : { path: named.path, type: named.type };
  const view = useSignal<Viewport>(readView(params.get('at')) ?? wholeWorld(1, 1));
  const isPlaced = useRef(params.has('at'));
  const asked = useSignal({ view: view.peek(), query });
  const tool = useSignal<Tool>('move');
  const drawing = useSignal<Area | undefined>(undefined);
  const selected = useSignal<string | undefined>(undefined);
  const world = useSignal<World | undefined>(undefined);
  const worldError = useSignal<unknown>(undefined);
  const area = drawing.value ?? readArea(params.get('area'));
  const isApplied = params.get('within') !== 'no';
  const rings = readRings(params.get('rings'));
  const isFine = view.value.zoom > FINE_ZOOM;

  useEffect(() => {
    let isOver = false;
    const take = (loaded: World) => {
      if (!isOver) world.value = loaded;
    };
    const fail = (error: unknown) => {
      worldError.value = error;
    };
    (isFine ? fineWorld() : coarseWorld()).then(take, fail);
    return () => {
      isOver = true;
    };
  }, [isFine]);
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = { view: view.value, query };
      if (isPlaced.current) setParams({ at: viewText(view.value) });
    }, STILL_MS);
    return () => clearTimeout(timer);
  }, [view.value, query]);

  const setView = (next: Viewport) => {
    // The first size is that of the page: nobody has moved yet.
    if (view.peek().width <= 1 && !isPlaced.current) view.value = wholeWorld(next.width, next.height);
    else view.value = next;
  };
  const moveTo = (next: Viewport) => {
    if (next.width === view.peek().width && next.height === view.peek().height) isPlaced.current = true;
    setView(next);
  };
  const filter = isApplied ? readArea(params.get('area')) : undefined;
  const answered = useAnswer<Found | undefined>(
    async (signal) => {
      const { view: seen, query: text } = asked.value;
      if (index === '' || field === undefined || seen.width <= 1) return undefined;
      const request = {
        index,
        query: queryOf(text),
        field,
        bounds: boundsOf(seen),
        zoom: seen.zoom,
        area: filter,
      };
      return find(client, request, signal);
    },
    [client, index, field?.path, field?.type, asked.value, filter && params.get('area')],
  );
  const counted = useAnswer(
    async (signal) => {
      const metres = rings === undefined ? undefined : metresOfRings(rings);
      if (field?.type !== 'geo_point' || rings === undefined || metres === undefined) return undefined;
      const request = { index, query: queryOf(asked.value.query), field, area: filter };
      return countRings(client, request, rings.origin, metres, signal);
    },
    [client, index, field?.path, params.get('rings'), asked.value.query, filter && params.get('area')],
  );
  const setArea = (next: Area | undefined, isDone = true) => {
    drawing.value = isDone ? undefined : next;
    if (isDone) setParams({ area: next === undefined ? '' : writeJson(next) });
  };
  const setRings = (next: Rings | undefined) =>
    setParams({ rings: next === undefined ? '' : writeJson(next) });
  const found = answered.value.value;
  const scene = useMemo<Omit<Scene, 'corners'>>(
    () => ({
      view: view.value,
      world: world.value,
      hits: found?.hits ?? [],
      cells: found?.cells ?? [],
      shapes: found?.shapes ?? [],
      origin: rings?.origin,
      rings: (counted.value.value ?? []).map(({ to, count }) => ({
        metres: to,
        label: `${distanceText(to)}: ${formatCount(count)}`,
      })),
      area,
      selected: selected.value,
    }),
    [view.value, world.value, found, counted.value.value, params.get('rings'), area, selected.value],
  );
  const pick = (at: LonLat, x: number, y: number) => {
    if (tool.value === 'origin') {
      setRings({ origin: at, distances: rings?.distances ?? '100km, 300km, 1000km' });
      return;
    }
    selected.value = nearestHit(found, view.value, x, y);
    const cell = cellAt(found, at);
    if (cell !== undefined) zoomToCell(cell);
  };
  const zoomToCell = ({ box: [west, south, east, north] }: Cell) =>
    moveTo(viewOf({ west, south, east, north }, view.value.width, view.value.height));
  const zoom = (by: number) => moveTo(zoomedAt(view.value, view.value.width / 2, view.value.height / 2, by));
  const error = answered.value.error ?? fields.value.error;
  return (
    <>
      <ViewHeader title="Map">
        <IndexPicker />
        {geoFields.length > 1 && (
          <label class="picker">
            Field
            <select
              value={field?.path ?? ''}
              onChange={(event) => setParams({ field: event.currentTarget.value })}
            >
              {geoFields.map(({ path, type }) => (
                <option key={path} value={path}>
                  {path} ({type})
                </option>
              ))}
            </select>
          </label>
        )}
      </ViewHeader>
      <div class="stack">
        <label class="picker map-query">
          Query
          <input
            value={query}
            placeholder="all documents; words, field:value, or JSON"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setParams({ q: event.currentTarget.value })}
          />
        </label>
        {error !== undefined && <ErrorBox error={error} />}
        {worldError.value !== undefined && <ErrorBox error={worldError.value} />}
        {fields.value.value !== undefined && field === undefined && (
          <p class="empty">No field of the index is a geo_point or a geo_shape.</p>
        )}
        {/* Its size stays while what is asked for comes. */}
        <div class="map-box" aria-busy={answered.value.isLoading}>
          <div class="map-tools" role="toolbar" aria-label="Tools of the map">
            {TOOLS.filter(({ name }) => name !== 'origin' || field?.type === 'geo_point').map(
              ({ name, title }) => (
                <button
                  key={name}
                  type="button"
                  class="small"
                  aria-pressed={tool.value === name}
                  onClick={() => {
                    tool.value = name;
                  }}
                >
                  {title}
                </button>
              ),
            )}
            <span class="zooms">
              <button type="button" class="small" aria-label="Zoom in" onClick={() => zoom(1)}>
                <Icon name="add" />
              </button>
              <button type="button" class="small" aria-label="Zoom out" onClick={() => zoom(-1)}>
                −
              </button>
              <button
                type="button"
                class="small"
                onClick={() => moveTo(wholeWorld(view.value.width, view.value.height))}
              >
                World
              </button>
            </span>
          </div>
          <MapCanvas
            label="Map. Arrow keys move it, plus and minus zoom. The list below has the same documents."
            scene={scene}
            tool={tool.value}
            onView={moveTo}
            onArea={setArea}
            onPick={pick}
          />
          <p class="map-status" role="status">
            {statusOf(found, answered.value.isLoading)}
          </p>
        </div>
        {field !== undefined && (
          <div class="map-panels">
            <div class="stack">
              <AreaPanel
                area={area}
                field={field}
                view={view.value}
                isApplied={isApplied}
                onArea={setArea}
                onApplied={(applied) => setParams({ within: applied ? '' : 'no' })}
              />
              {field.type === 'geo_point' && (
                <RingsPanel rings={rings} counted={counted.value} view={view.value} onRings={setRings} />
              )}
            </div>
            <div class="stack">
              {found !== undefined && (
                <FoundPanel
                  found={found}
                  selected={selected.value}
                  onSelect={(key) => {
                    selected.value = key;
                  }}
                  onCell={zoomToCell}
                />
              )}
            </div>
          </div>
        )}
      </div>
    </>
  );
}
