/** Repositories and snapshots: what can be done with them, each as the request that does it. */
import type { Json } from '../../api/json';
import type { Action } from '../../components/ActionDialog';

/** A field of a repository's settings. */
export interface RepositoryField {
  name: string;
  title: string;
  placeholder: string;
}

/** Kinds of repositories, with the settings that most of them need. */
export const REPOSITORY_TYPES: Readonly<
  Record<string, { title: string; hint: string; fields: readonly RepositoryField[] }>
> = {
  fs: {
    title: 'Folder',
    hint: 'Below one of the folders that the server allows: --repo, or “repositories” in its data folder.',
    fields: [{ name: 'location', title: 'Location', placeholder: 'backups' }],
  },
  url: {
    title: 'Address, to read from',
    hint: 'A folder as a file: address, or what a web server has below the addresses of --repo-url.',
    fields: [{ name: 'url', title: 'Address', placeholder: 'https://example.org/backups/' }],
  },
  s3: {
    title: 'S3 bucket',
    hint: 'One of the buckets of --repo-s3.',
    fields: [
      { name: 'bucket', title: 'Bucket', placeholder: 'backups' },
      { name: 'base_path', title: 'Path in it', placeholder: 'search' },
      { name: 'region', title: 'Region', placeholder: 'eu-west-1' },
    ],
  },
};

const at = (...names: readonly string[]) => `/_snapshot/${names.map(encodeURIComponent).join('/')}`;

/** @param settings those that are empty are left out */
export function createRepository(
  name: string,
  type: string,
  settings: Readonly<Record<string, string>>,
  isReadonly: boolean,
): Action {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
  return {
    title: 'Add repository',
    method: 'PUT',
    path: at(name),
    body: { type, settings: { ...given, ...(isReadonly ? { readonly: true } : {}) } },
    done: `${name} is there, and can be reached`,
  };
}

export function verifyRepository(name: string): Action {
  return {
    title: 'Verify',
    method: 'POST',
    path: `${at(name)}/_verify`,
    warning: 'The server looks whether it can write to the repository and read from it.',
    done: `${name} can be reached`,
  };
}

export function deleteRepository(name: string): Action {
  return {
    title: 'Remove repository',
    method: 'DELETE',
    path: at(name),
    warning:
      'The server forgets the repository. Its snapshots stay where they are, and are there again when it is added again.',
    done: `${name} is forgotten`,
  };
}

/** `snapshot-2026-11-24-14-51`, by the clock of the browser. */
export function proposedName(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const parts = [now.getMonth() + 1, now.getDate(), now.getHours(), now.getMinutes()].map(two);
  return `snapshot-${now.getFullYear()}-${parts.join('-')}`;
}

/** @param indices names and patterns with commas between; all where it is empty */
export function createSnapshot(
  repository: string,
  name: string,
  indices: string,
  withState: boolean,
  isPartial: boolean,
): Action {
  const body: Record<string, Json> = { include_global_state: withState };
  if (indices.trim() !== '') body.indices = indices.trim();
  if (isPartial) body.partial = true;
  return {
    title: 'Make snapshot',
    method: 'PUT',
    path: at(repository, name),
    body,
    done: `${name} is being made`,
  };
}

/** What is brought back, and how. */
export interface Restoring {
  indices: string;
  /** A regular expression for names, and what stands in place of it; none where it is empty. */
  pattern: string;
  replacement: string;
  withAliases: boolean;
  withState: boolean;
}

export function restoreSnapshot(
  repository: string,
  name: string,
  { indices, pattern, replacement, withAliases, withState }: Restoring,
): Action {
  return {
    title: 'Restore',
    method: 'POST',
    path: `${at(repository, name)}/_restore?wait_for_completion=true`,
    body: {
      ...(indices.trim() === '' ? {} : { indices: indices.trim() }),
      ...(pattern === '' ? {} : { rename_pattern: pattern, rename_replacement: replacement }),
      include_aliases: withAliases,
      include_global_state: withState,
    },
    done: `${name} is restored`,
  };
}

export function deleteSnapshot(repository: string, name: string): Action {
  return {
    title: 'Delete snapshot',
    method: 'DELETE',
    path: at(repository, name),
    warning: 'What only this snapshot has is gone then. Other snapshots of the repository stay whole.',
    typed: name,
    done: `${name} is deleted`,
  };
}
