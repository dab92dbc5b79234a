/** Something is under way. */
export function Spinner({ label }: { label: string }) {
  return (
    <p class="spinner" role="status">
      <span class="jump" aria-hidden="true" />
      {label}…
    </p>
  );
}
