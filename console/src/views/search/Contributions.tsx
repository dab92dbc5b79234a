/** Who contributes what to a score, as bars: clauses, and fields where there are several. */
import { Bar } from '../../components/Bar';
import { byField, contributionsOf, soughtBy } from './explanation/contributions';
import type { ExplanationNode } from './explanation/explanationNode';

/** Clauses that are shown at once: a query of many terms has hundreds. */
const MOST = 20;

export function Contributions({ root }: { root: ExplanationNode }) {
  const all = contributionsOf(root);
  const fields = byField(all);
  const colors = new Map(fields.map(({ name }, i) => [name, ((i % 6) + 1) as 1 | 2 | 3 | 4 | 5 | 6]));
  const sum = all.reduce((whole, { value }) => whole + Math.max(0, value), 0);
  const shown = [...all].sort((a, b) => b.value - a.value).slice(0, MOST);
  if (all.length === 0) return null;
  return (
    <>
      {fields.length > 1 && (
        <ul class="shares" aria-label="Share of each field">
          {fields.map(({ name, value }) => (
            <li key={name}>
              <span class="name">{name}</span>
              <Bar share={value / sum} color={colors.get(name)!} />
              <span class="number">{percent(value, sum)}</span>
            </li>
          ))}
        </ul>
      )}
      <ul class="contributions" aria-label="Contribution of each clause">
        {shown.map(({ key, query, field, value, raw, factors }) => {
          const changed = factors.filter((each) => each.value !== 1);
          return (
            <li key={key}>
              <p class="what">
                <span>
                  <b>{soughtBy(query)}</b>
                  {field !== undefined && <span class="muted"> in {field}</span>}
                </span>
                <span class="number">
                  {short(value)} <span class="muted">{percent(value, sum)}</span>
                </span>
              </p>
              <Bar share={value / sum} color={colors.get(field ?? query)!} />
              {changed.length > 0 && (
                <p class="muted factors">
                  {[
                    short(raw),
                    ...changed.map((each) => `${each.node?.digits ?? short(each.value)} (${each.title})`),
                  ].join(' × ')}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {all.length > MOST && <p class="muted">and {all.length - MOST} further clauses with less</p>}
    </>
  );
}

/** Numbers that are worked out here, not read: a few digits. */
export function short(value: number): string {
  return Number(value.toPrecision(5)).toString();
}

function percent(value: number, sum: number): string {
  return sum === 0 ? '' : `${Math.round((Math.max(0, value) / sum) * 100)} %`;
}
