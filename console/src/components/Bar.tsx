/** A share of something as a bar. The number stands beside it as text. */

interface BarProps {
  /** From 0 to 1. */
  share: number;
  /** Of the palette of charts, from 1 to 6. */
  color?: 1 | 2 | 3 | 4 | 5 | 6;
}

export function Bar({ share, color = 1 }: BarProps) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width, background: `var(--chart-${color})` }} />
    </span>
  );
}
