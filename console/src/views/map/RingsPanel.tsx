/** Rings of distances around a place, with how many documents are in each. */

import { Bar } from '../../components/Bar';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { Panel } from '../../components/Panel';
import type { Answered } from '../../components/useAnswer';
import { rounded } from './area';
import { DegreesInput } from './DegreesInput';
import { distanceText, metresOf } from './distances';
import type { LonLat } from './geoValues';
import type { RingCount } from './mapData';
import type { Viewport } from './viewport';

/** Distances as they are typed, and the place. */
export interface Rings {
  origin: LonLat;
  distances: string;
}

interface RingsPanelProps {
  rings: Rings | undefined;
  counted: Answered<readonly RingCount[] | undefined>;
  view: Viewport;
  onRings: (rings: Rings | undefined) => void;
}

/** Ascending; undefined where one can't be read. */
export function metresOfRings({ distances }: Rings): readonly number[] | undefined {
  const metres = distances
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => metresOf(text));
  if (metres.length === 0 || metres.some((each) => each === undefined || each <= 0)) return undefined;
  return [...new Set(metres as number[])].sort((a, b) => a - b);
}

export function RingsPanel({ rings, counted, view, onRings }: RingsPanelProps) {
  if (rings === undefined)
    return (
      <Panel title="Distance rings">
        <button
          type="button"
          class="small"
          onClick={() =>
            onRings({ origin: [rounded(view.lon), rounded(view.lat)], distances: '100km, 300km, 1000km' })
          }
        >
          Around the middle of the map
        </button>
      </Panel>
    );
  const { origin, distances } = rings;
  const isRight = metresOfRings(rings) !== undefined;
  const most = Math.max(1, ...(counted.value ?? []).map(({ count }) => count));
  return (
    <Panel
      title="Distance rings"
      actions={
        <button type="button" class="small" onClick={() => onRings(undefined)}>
          Remove
        </button>
      }
    >
      <div class="stack">
        <div class="area-fields">
          <DegreesInput
            label="Latitude"
            value={rounded(origin[1])}
            min={-90}
            max={90}
            onValue={(lat) => onRings({ ...rings, origin: [origin[0], lat] })}
          />
          <DegreesInput
            label="Longitude"
            value={rounded(origin[0])}
            min={-180}
            max={180}
            onValue={(lon) => onRings({ ...rings, origin: [lon, origin[1]] })}
          />
          <label class="long">
            Distances
            <input
              value={distances}
              aria-invalid={!isRight}
              spellcheck={false}
              onInput={(event) => onRings({ ...rings, distances: event.currentTarget.value })}
            />
          </label>
        </div>
        {!isRight && <p class="problem">Distances are written 10km, 50km, with commas between.</p>}
        {counted.error !== undefined && <ErrorBox error={counted.error} />}
        {counted.value !== undefined && (
          <table>
            <caption class="hidden">Documents in each ring</caption>
            <tbody>
              {counted.value.map(({ from, to, count }) => (
                <tr key={to}>
                  <th scope="row">
                    {distanceText(from)} to {distanceText(to)}
                  </th>
                  <td class="ring-bar">
                    <Bar share={count / most} color={3} />
                  </td>
                  <td class="number">{formatCount(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Panel>
  );
}
