/** Which colour is what. */
export function Legend({ labels, hasRest }: { labels: readonly string[]; hasRest: boolean }) {
  if (labels.length === 0) return null;
  return (
    <ul class="bucket-legend" aria-label="Colours">
      {labels.map((label, i) => (
        <li key={label}>
          <Swatch color={i + 1} />
          <span>{label}</span>
        </li>
      ))}
      {hasRest && (
        <li>
          <Swatch color={0} />
          <span>others</span>
        </li>
      )}
    </ul>
  );
}

function Swatch({ color }: { color: number }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      <rect class={`fill-${color}`} width="10" height="10" rx="2" />
    </svg>
  );
}
