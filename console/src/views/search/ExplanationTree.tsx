/** The explanation of a score as a tree: each node with its number, its formula and what it means. */
import { useSignal } from '@preact/signals';
import type { ExplanationNode } from './explanation/explanationNode';
import './explanation.css';

/** Levels that are open at first: of large trees fewer. */
const DEPTH = 5;
const DEPTH_OF_LARGE = 2;
/** Nodes of a tree that is large. */
const LARGE = 100;
/** Parts of a node that are shown at once: a query of many terms has hundreds. */
const SHOWN = 40;

export function ExplanationTree({ root }: { root: ExplanationNode }) {
  return (
    <ul class="explanation" aria-label="Explanation">
      <Node key={root.id} node={root} depth={countOf(root) > LARGE ? DEPTH_OF_LARGE : DEPTH} />
    </ul>
  );
}

function Node({ node, depth }: { node: ExplanationNode; depth: number }) {
  const isOpen = useSignal(depth > 0);
  const shown = useSignal(SHOWN);
  if (node.details.length === 0)
    return (
      <li class="node leaf">
        <Line node={node} />
        <About node={node} />
      </li>
    );
  return (
    <li class="node">
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
              {node.details.slice(0, shown.value).map((each) => (
                // One that was opened by hand is open to its ground.
                <Node key={each.id} node={each} depth={depth > 0 ? depth - 1 : DEPTH} />
              ))}
            </ul>
            {node.details.length > shown.value && (
              <button
                type="button"
                class="quiet small"
                onClick={() => {
                  shown.value += 4 * SHOWN;
                }}
              >
                Show more of {node.details.length} parts
              </button>
            )}
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

function countOf({ details }: ExplanationNode): number {
  return details.reduce((sum, each) => sum + countOf(each), 1);
}
