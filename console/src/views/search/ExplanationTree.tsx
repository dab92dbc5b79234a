/** The explanation of a score as a tree: each node with its number, its formula and what it means. */
import { useSignal } from '@preact/signals';
import type { ExplanationNode } from './explanation/explanationNode';
import './explanation.css';

/** Levels that are open at first. */
const DEPTH = 5;

export function ExplanationTree({ root }: { root: ExplanationNode }) {
  return (
    <ul class="explanation" aria-label="Explanation">
      <Node key={root.id} node={root} depth={DEPTH} />
    </ul>
  );
}

function Node({ node, depth }: { node: ExplanationNode; depth: number }) {
  const isOpen = useSignal(depth > 0);
  if (node.details.length === 0)
    return (
      <li class={`node leaf ${node.kind}`}>
        <Line node={node} />
        <About node={node} />
      </li>
    );
  return (
    <li class={`node ${node.kind}`}>
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>
          <Line node={node} />
        </summary>
        {isOpen.value && (
          <>
            <About node={node} />
            <ul>
              {node.details.map((each) => (
                // One that was opened by hand is open to its ground.
                <Node key={each.id} node={each} depth={depth > 0 ? depth - 1 : DEPTH} />
              ))}
            </ul>
          </>
        )}
      </details>
    </li>
  );
}

function Line({ node: { digits, title, kind } }: { node: ExplanationNode }) {
  return (
    <span class="line">
      <b class="digits">{digits}</b>{' '}
      <span class={kind === 'clause' || kind === 'constant' ? 'query' : ''}>{title}</span>
    </span>
  );
}

function About({ node: { formula, numbers, meaning, description } }: { node: ExplanationNode }) {
  return (
    <div class="about">
      {formula !== undefined && (
        <p class="formula">
          <code>{formula}</code>
          {numbers !== undefined && numbers !== formula && <code class="numbers">= {numbers}</code>}
        </p>
      )}
      {meaning !== '' && (
        <p class="meaning" title={description}>
          {meaning}
        </p>
      )}
    </div>
  );
}
