/** Coasts and borders, from data in the package (Natural Earth): coarse ones first, finer ones for those who come near. */
import type { Feature, FeatureCollection, MultiLineString } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fineAddress from 'world-atlas/countries-50m.json?url';
import coarseAddress from 'world-atlas/countries-110m.json?url';

export interface World {
  land: Feature | FeatureCollection;
  borders: MultiLineString;
}

type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

const worlds = new Map<string, Promise<World>>();

export function coarseWorld(): Promise<World> {
  return load(coarseAddress);
}

export function fineWorld(): Promise<World> {
  return load(fineAddress);
}

function load(address: string): Promise<World> {
  let world = worlds.get(address);
  if (world === undefined) {
    world = read(address);
    worlds.set(address, world);
    // The next one tries again.
    world.catch(() => worlds.delete(address));
  }
  return world;
}

async function read(address: string): Promise<World> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The coastlines could not be loaded (${response.status}).`);
  const topology = (await response.json()) as Countries;
  const { countries, land } = topology.objects;
  return { land: feature(topology, land), borders: mesh(topology, countries, (a, b) => a !== b) };
}
