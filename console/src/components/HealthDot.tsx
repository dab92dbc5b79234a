/** A state as a colour and, for those who don't see it, as a word. */
import type { HealthStatus } from '../app/clusterState';

export function HealthDot({ status }: { status: HealthStatus }) {
  return (
    <span class={`health ${status}`} title={status}>
      <span class="hidden">{status}</span>
    </span>
  );
}
