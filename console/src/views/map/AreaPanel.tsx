/** The area that filters: its numbers, which can be typed, and its filter as JSON. */
import { type Json, writeJson } from '../../api/json';
import { linkTo } from '../../app/location';
import { CopyButton } from '../../components/CopyButton';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { useDraft } from '../../components/useDraft';
import { type Area, filterOf, type GeoField, rounded } from './area';
import { DegreesInput } from './DegreesInput';
import type { LonLat } from './geoValues';
import { boundsOf, type Viewport } from './viewport';

interface AreaPanelProps {
  area: Area | undefined;
  field: GeoField;
  view: Viewport;
  isApplied: boolean;
  onArea: (area: Area | undefined) => void;
  onApplied: (isApplied: boolean) => void;
}

export function AreaPanel({ area, field, view, isApplied, onArea, onApplied }: AreaPanelProps) {
  if (area === undefined)
    return (
      <Panel title="Area">
        <p class="muted">Draw one on the map, or begin with one in the middle of it:</p>
        <div class="actions">
          {(['box', 'circle', 'polygon'] as const).map((kind) => (
            <button key={kind} type="button" class="small" onClick={() => onArea(areaWithin(view, kind))}>
              <Icon name="add" /> {kind}
            </button>
          ))}
        </div>
      </Panel>
    );
  const filter = filterOrError(area, field);
  return (
    <Panel
      title={`Area: ${area.kind}`}
      actions={
        <button type="button" class="small" onClick={() => onArea(undefined)}>
          Remove
        </button>
      }
    >
      <div class="stack">
        <AreaFields area={area} onArea={onArea} />
        <label class="check-line">
          <input
            type="checkbox"
            checked={isApplied}
            onChange={(event) => onApplied(event.currentTarget.checked)}
          />
          Only documents within it
        </label>
        {'error' in filter ? (
          <ErrorBox error={filter.error} title="No filter for it" />
        ) : (
          <>
            <pre class="filter">{writeJson(filter.json, 2)}</pre>
            <div class="actions">
              <CopyButton label="Copy filter" text={() => writeJson(filter.json, 2)} />
              <a href={linkTo('aggregations', { filters: namedFilter(area, filter.json) })}>
                Aggregate these
              </a>
            </div>
          </>
        )}
      </div>
    </Panel>
  );
}

function AreaFields({ area, onArea }: { area: Area; onArea: (area: Area) => void }) {
  if (area.kind === 'polygon') return <CornerFields area={area} onArea={onArea} />;
  const fields: [string, string, number, number, number][] =
    area.kind === 'box'
      ? [
          ['top', 'Top', area.top, -90, 90],
          ['left', 'Left', area.left, -180, 180],
          ['bottom', 'Bottom', area.bottom, -90, 90],
          ['right', 'Right', area.right, -180, 180],
        ]
      : [
          ['lat', 'Latitude', area.lat, -90, 90],
          ['lon', 'Longitude', area.lon, -180, 180],
          ['metres', 'Metres', Math.round(area.metres), 1, 20_000_000],
        ];
  return (
    <div class="area-fields">
      {fields.map(([name, title, value, min, max]) => (
        <DegreesInput
          key={name}
          label={title}
          value={rounded(value)}
          min={min}
          max={max}
          onValue={(typed) => onArea({ ...area, [name]: typed } as Area)}
        />
      ))}
    </div>
  );
}

interface CornerFieldsProps {
  area: Extract<Area, { kind: 'polygon' }>;
  onArea: (area: Area) => void;
}

function CornerFields({ area, onArea }: CornerFieldsProps) {
  const draft = useDraft(area.points.map(([lon, lat]) => `${rounded(lat)}, ${rounded(lon)}`).join('\n'));
  return (
    <label class="area-points">
      Corners: latitude, longitude
      <textarea
        rows={Math.min(8, area.points.length + 1)}
        spellcheck={false}
        value={draft.value}
        onInput={(event) => {
          event.currentTarget.setCustomValidity('');
          draft.onInput(event.currentTarget.value);
        }}
        onChange={(event) => {
          const points = pointsFrom(event.currentTarget.value);
          event.currentTarget.setCustomValidity(
            points === undefined ? 'Three lines or more: latitude, longitude' : '',
          );
          event.currentTarget.reportValidity();
          if (points === undefined) return;
          draft.onChange();
          onArea({ ...area, points });
        }}
      />
    </label>
  );
}

function filterOrError(area: Area, field: GeoField): { json: Json } | { error: unknown } {
  try {
    return { json: filterOf(area, field) };
  } catch (error) {
    return { error };
  }
}

function namedFilter(area: Area, filter: Json): string {
  return writeJson([{ label: area.kind, filter }]);
}

/** Half as wide and high as the view. */
export function areaWithin(view: Viewport, kind: Area['kind']): Area {
  const { west, east, north, south } = boundsOf(view);
  const wide = (east >= west ? east - west : east - west + 360) / 4;
  const tall = (north - south) / 4;
  const [lon, lat] = [rounded(view.lon), rounded(view.lat)];
  const side = (degrees: number) => rounded(((degrees + 540) % 360) - 180);
  if (kind === 'circle') return { kind, lon, lat, metres: Math.round(Math.max(1, tall * 0.8 * 111_195)) };
  const box = {
    left: side(lon - wide),
    right: side(lon + wide),
    top: rounded(lat + tall),
    bottom: rounded(lat - tall),
  };
  if (kind === 'box') return { kind, ...box };
  return {
    kind,
    points: [
      [box.left, box.bottom],
      [lon, box.top],
      [box.right, box.bottom],
    ],
  };
}

function pointsFrom(text: string): readonly LonLat[] | undefined {
  const points: LonLat[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [lat, lon, ...more] = line.split(',').map(Number);
    if (lat === undefined || lon === undefined || more.length > 0) return undefined;
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return undefined;
    points.push([lon, lat]);
  }
  return points.length >= 3 ? points : undefined;
}
